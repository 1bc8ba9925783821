; Choosing a workspace: the folders beneath the bridge's root.
.include "p64.inc"

HERE = $FF                      ; rows that are not folders
UP   = $FE
PATH_COLS = 27                  ; what the row leaves behind its heading, and a cursor

.zeropage
typing:         .res 1          ; not 0: keys go to the path
path_len:       .res 1

.bss
path:           .res WORKSPACE_MAX ; the folder that is listed

.code
; From the settings or the sessions. Clobbers A, X, Y.
folders_open:
        ldx     workspace_len
        stx     path_len
@copy:  lda     workspace,x
        sta     path,x
        dex
        bpl     @copy
        lda     #0
        sta     list_sel
        lda     #VIEW_FOLDERS
        jmp     view_open

folders_draw:
        jsr     list_ask
        jsr     path_draw
        ldx     #ROW_WIN + 1
        jsr     screen_rule
        jmp     list_draw

; The heading, and the keys: while the path is typed, others. Clobbers A, X, Y.
path_draw:
        ldx     #ROW_WIN
        ldy     #0
        lda     #ROLE_HEAD
        jsr     screen_at
        ldax    msg_folders
        jsr     screen_text
        lda     #PATH_COLS      ; of a long path the end tells more
        sta     tmp3
        ldax    path
        ldy     path_len
        jsr     screen_tail
        lda     typing
        beq     @list
        lda     #CH_SOLID
        jsr     screen_code
        jsr     screen_rest
        ldax    msg_type_keys
        jmp     hint_rows
@list:  jsr     screen_rest
        ldax    msg_folder_keys
        jmp     hint_rows

folders_frame:
        lda     #<CAP_SESSIONS  ; to choose one; to list them is another
        jsr     list_serve
        bcs     @draw
        lda     #HERE
        ldx     #ROLE_HEAD
        jsr     list_begin
        ldax    msg_here
        jsr     list_text
        lda     path_len
        beq     @ask
        lda     #UP
        ldx     #ROLE_HINT
        jsr     list_begin
        ldax    msg_up
        jsr     list_text
@ask:   lda     caps+1
        and     #>CAP_WORKSPACE_LIST
        beq     @none           ; a path can be typed even so
        lda     #FRAME_WORKSPACE_LIST_GET
        jsr     control_ask
@draw:  jmp     list_show
@none:  jsr     list_done
        jmp     list_show

; WorkspaceEntry: flags, index, name.
got_folder:
        lda     list_load
        beq     @none
        ldx     #ROLE_AGENT
        ldy     #1
        lda     (rx_ptr),y
        and     #FLAG_GIT
        beq     @plain
        ldx     #ROLE_ADD
@plain: ldy     #HEADER_SIZE
        lda     (rx_ptr),y
        jsr     list_begin
        ldx     #HEADER_SIZE + 1
        jmp     list_frame
@none:  rts

got_folders_done:
        jsr     control_done
        jmp     list_done

; In: A = key. Clobbers A, X, Y.
folders_key:
        ldx     typing
        bne     path_key
        cmp     #'t'
        beq     @type
        cmp     #KEY_RETURN
        beq     @open
        jmp     list_key
@type:  inc     typing
        jmp     path_draw
@none:  rts
@open:  lda     control_state
        ora     list_load
        bne     @none
        jsr     list_chosen
        bcs     @none
        cmp     #HERE
        beq     @use
        cmp     #UP
        beq     @up
        cmp     #MAX_ROWS       ; "... 22 MORE" is no folder
        bcs     @none
        ldx     path_len        ; a folder: path/name
        beq     @name
        lda     #'/'
        sta     path,x
        inx
@name:  ldy     #2
@copy:  lda     (ptr2),y
        beq     @in
        cpx     #WORKSPACE_MAX
        bcs     @long
        sta     path,x
        inx
        iny
        bne     @copy           ; always
@in:    stx     path_len
@list:  lda     #0
        sta     list_sel
        jmp     folders_draw
@long:  lda     #HINT_PATH      ; path_len still says the old one
        jmp     status_hint
@up:    ldx     path_len
@back:  dex
        beq     @root
        lda     path,x
        cmp     #'/'
        bne     @back
@root:  stx     path_len
        jmp     @list
@use:   lda     turn
        bne     @busy
        lda     #FRAME_WORKSPACE_SET
        jmp     control_ask
@busy:  lda     #HINT_BUSY
        jmp     status_hint

; A key while the path is typed. In: A. Clobbers A, X, Y.
path_key:
        ldx     path_len
        cmp     #KEY_RETURN
        beq     @go
        cmp     #KEY_STOP
        beq     @stop
        cmp     #KEY_CLR
        beq     @clear
        cmp     #KEY_DEL
        beq     @delete
        cmp     #' '
        bcc     @none
        cmp     #$7F
        bcs     @none
        cpx     #WORKSPACE_MAX
        bcs     @none
        cpx     #0
        bne     @put
        cmp     #'/'            ; every path begins at the root
        beq     @none
@put:   sta     path,x
        inx
        bne     @len            ; always
@delete:
        dex
        bpl     @len            ; not below 0
@clear: ldx     #0
@len:   stx     path_len
        jmp     path_draw
@go:    dex                     ; a / at its end says nothing more
        bmi     @list
        lda     path,x
        cmp     #'/'
        bne     @list
        stx     path_len
@list:  lda     #0
        sta     typing
        sta     list_sel
        jmp     folders_draw
@stop:  jmp     folders_open    ; back to where the agent is
@none:  rts

; WorkspaceState: where the agent works now. The path that was sent is kept, not
; the cut one that comes back.
got_workspace:
        lda     control_type
        cmp     #FRAME_WORKSPACE_SET
        bne     @setup
        lda     link_state
        cmp     #LINK_ON
        bne     @setup
        ldx     path_len
        stx     workspace_len
@copy:  lda     path,x
        sta     workspace,x
        dex
        bpl     @copy
        lda     user_set
        ora     #SET_WORKSPACE
        sta     user_set
        jsr     record_save
        jsr     title_folder
        lda     view
        cmp     #VIEW_FOLDERS
        bne     @setup
        ldax    msg_moved
        ldy     #ROLE_NOTE
        jsr     block_note
        lda     #VIEW_CHAT
        jsr     view_open
@setup: jmp     control_done
