; Every text that the user reads, in ASCII, ended by 0. A $0A is a line break.
.include "p64.inc"

.rodata
msg_empty:      .byte 0

; Title bar.
msg_title:      .byte " PROMPT64 ", 0
msg_off_line:   .byte "OFF LINE", 0
msg_wait:       .byte "WAIT ", 0
msg_dialling:   .byte "DIALLING", 0
msg_on_line:    .byte "ON LINE", 0
msg_serial:     .byte "SERIAL", 0

; Status line.
msg_ready:      .byte "READY", 0
msg_thinking:   .byte "THINKING", 0
msg_working:    .byte "WORKING", 0
msg_colon:      .byte ": ", 0
msg_waiting:    .byte "WAITING FOR YOU", 0
msg_stalled:    .byte "STALLED ", 0
msg_cancelling: .byte "CANCELLING", 0
msg_sending:    .byte "SENDING", 0
msg_answering:  .byte "SENDING YOUR ANSWER", 0
msg_leaving:    .byte "LEAVING THE SESSION", 0
msg_unsent:     .byte "UNSENT - WAITS FOR THE LINE", 0
msg_more:       .byte " MORE ", 0
msg_context:    .byte "CONTEXT ", 0
msg_line:       .byte "LINE ", 0
msg_sound_on:   .byte "SOUND ON", 0
msg_sound_off:  .byte "SOUND OFF", 0
msg_busy:       .byte "STILL WORKING - STOP CANCELS", 0
msg_full:       .byte "THE EDITOR IS FULL (760)", 0
msg_detail:     .byte "THE DETAIL COMES FIRST", 0

; Transcript.
msg_welcome:    .byte "A new session. Say what is to be done.", 0
msg_cancelled:  .byte "cancelled", 0
msg_failed:     .byte "! failed: ", 0
msg_refused:    .byte "! ", 0
msg_expired:    .byte "The session ended while the line was down. RETURN begins a new one; a prompt that was not sent is in the editor.", 0

; Keys, in the rows of the editor.
msg_hint_send:  .byte " F1 dashboard  F3 settings  F5 sessions", 0
msg_key_send:   .byte " RETURN send", 0
msg_key_anew:   .byte " RETURN connect", 0
msg_key_scroll: .byte "F7 F8 scroll", 0
msg_key_leave:  .byte " STOP leave", 0
msg_key_cancel: .byte " STOP cancel", 0

; Approval.
msg_cut:        .byte " cut: this is not all of it ", 0
msg_asks:       .byte " THE AGENT ASKS: ", 0
msg_command:    .byte "run a command", 0
msg_file:       .byte "change files", 0
msg_answers:    .byte " A accept once      S for this session", 0
                .byte " D decline          C cancel the turn", 0
                .byte " CRSR F7 F8 scroll  stick 2: < > fire", 0
msg_answers_load: .byte " the detail comes before it is accepted", 0
                .byte " D decline          C cancel the turn", 0
                .byte 0
msg_answers_sure: .byte " S again: it will not ask any more for", 0
                .byte " things like this in this session", 0
                .byte " any other key: take that back", 0
msg_answers_sent: .byte " your answer is on its way", 0
                .byte 0
                .byte 0

; Questions.
msg_leave:      .byte "Leave this session?", 0
msg_leave_what: .byte "What was said is kept: the session is", $0A
                .byte "in the list when you come back.", 0
msg_switch:     .byte "Go to the list of sessions?", 0
msg_switch_what: .byte "The agent is still at work. Its turn", $0A
                .byte "is cancelled when you leave.", 0
msg_confirm_keys: .byte " Y yes", 0
                .byte " N no", 0
                .byte 0

; Lists.
msg_asking:     .byte " asking the bridge ...", 0
msg_nothing:    .byte " nothing here yet", 0

; Dashboard and diff.
msg_tab_status: .byte "STATUS", 0
msg_tab_activity: .byte "ACTIVITY", 0
msg_tab_changes: .byte "CHANGES", 0
msg_tab_actions: .byte "ACTIONS", 0
msg_dash_keys:  .byte " CRSR choose   RETURN open   F1 next tab", 0
                .byte " R refresh     F7 F8 page    STOP chat", 0
                .byte 0
msg_of:         .byte " of ", 0
msg_diff_keys:  .byte " CRSR scroll   F7 F8 page    N next file", 0
                .byte " STOP back", 0
                .byte 0

; Settings.
msg_settings:   .byte " SETTINGS", 0
msg_set_keys:   .byte " CRSR choose and change      RETURN open", 0
                .byte " STOP chat", 0
                .byte 0
msg_reasoning:  .byte "reasoning", 0
msg_access:     .byte "access", 0
msg_palette:    .byte "graphics", 0
msg_sound:      .byte "sound", 0
msg_colours:    .byte "colours", 0
msg_workspace:  .byte "workspace", 0
msg_bridge:     .byte "bridge", 0
msg_c_reasoning: .byte "off", 0, "summary", 0, "detailed", 0, "dev", 0, 0
msg_c_access:   .byte "read only", 0, "ask me", 0, "auto", 0, 0
msg_c_switch:   .byte "off", 0, "on", 0, 0
msg_c_colours:  .byte "c64", 0, "dark", 0, "green", 0, "amber", 0, 0
msg_m_r0:       .byte "reasoning: off. Only answers are shown.", 0
msg_m_r1:       .byte "reasoning: summary. In short, what the", $0A
                .byte "agent thinks about.", 0
msg_m_r2:       .byte "reasoning: detailed. Longer summaries", $0A
                .byte "of what the agent thinks.", 0
msg_m_r3:       .byte "reasoning: developer. The agent's own", $0A
                .byte "raw thoughts, where it gives them.", 0
msg_m_a0:       .byte "access: read only. The agent reads and", $0A
                .byte "explains; it changes nothing.", 0
msg_m_a1:       .byte "access: ask me to approve. The agent", $0A
                .byte "reads freely, and asks before it", $0A
                .byte "changes a file or runs a command.", 0
msg_m_a2:       .byte "access: auto review. The agent works", $0A
                .byte "without asking, inside the workspace.", 0
msg_m_palette:  .byte "graphics: boxes and blocks are drawn", $0A
                .byte "with the C64's own characters.", 0
msg_m_sound:    .byte "sound: a tune when you are needed, when", $0A
                .byte "a turn ends and when it fails. F2", $0A
                .byte "switches it everywhere.", 0
msg_m_colours:  .byte "colours of the whole screen.", 0
msg_m_workspace: .byte "workspace: the folder that the agent", $0A
                .byte "works in. RETURN chooses another.", 0
msg_m_bridge:   .byte "bridge: where this C64 is connected to.", $0A
                .byte "The connect screen changes it.", 0

; Sessions and folders.
msg_sessions:   .byte " SESSIONS", 0
msg_new_session: .byte "NEW SESSION", 0
msg_session_keys: .byte " CRSR choose   RETURN open", 0
                .byte " W workspace   STOP chat", 0
                .byte 0
msg_folders:    .byte " WORKSPACE /", 0
msg_folder_keys: .byte " CRSR choose   RETURN open or use", 0
                .byte " T type a path               STOP chat", 0
                .byte " green: a git repository", 0
msg_type_keys:  .byte " type where to go     RETURN go there", 0
                .byte " DEL CLR delete       STOP back", 0
                .byte 0
msg_here:       .byte "USE THIS FOLDER", 0
msg_up:         .byte ".. one folder up", 0
msg_moved:      .byte "Another workspace, and a new session.", 0
msg_line_needed: .byte "THAT NEEDS THE LINE", 0
msg_path_long:  .byte "THE PATH IS TOO LONG", 0

; Connect screen.
msg_what:       .byte "a coding agent for your c64", 0
msg_f_host:     .byte "bridge", 0
msg_f_port:     .byte "port", 0
msg_f_link:     .byte "link", 0
msg_f_uci:      .byte "ultimate network (uci)", 0
msg_f_serial:   .byte "serial, ", 0
msg_f_baud:     .byte "00 baud", 0
msg_f_code:     .byte "pairing", 0
msg_f_none:     .byte "no code", 0
msg_offer:      .byte "A session from before is still there:", $0A
                .byte "RETURN takes it up again.", 0
msg_connect_idle: .byte " RETURN connect     E edit address", 0
                .byte " S serial link      F2 sound on/off", 0
                .byte " Q quit", 0
msg_connect_offer: .byte " RETURN take it up  N new session", 0
                .byte " E edit address     F2 sound on/off", 0
                .byte " S link   Q quit", 0
msg_connect_runs: .byte " STOP stop trying   E edit address", 0
                .byte " RETURN try now     F2 sound on/off", 0
                .byte 0
msg_connect_edit: .byte " RETURN next field  CRSR up and down", 0
                .byte " DEL CLR delete     STOP done", 0
                .byte 0
msg_s_idle:     .byte "ready to connect", 0
msg_s_held:     .byte "not connected", 0
msg_s_wait:     .byte "next try in ", 0
msg_s_dial:     .byte "connecting ... ", 0
msg_s_close:    .byte "closing the old connection ... ", 0
msg_s_hello:    .byte "greeting the bridge ... ", 0
msg_s_pair:     .byte "showing the pairing code ... ", 0
msg_s_lease:    .byte "opening the session ... ", 0

; Errors: in one line, and with what to do.
short_off:      .byte "THE COMMAND INTERFACE IS OFF", 0
long_off:       .byte "The Ultimate's command interface is", $0A
                .byte "off. Switch it on in its menu (F2):", $0A
                .byte "C64 and Cartridge Settings >", $0A
                .byte "Command Interface: Enabled", 0
short_stuck:    .byte "THE ULTIMATE DOES NOT ANSWER", 0
long_stuck:     .byte "The Ultimate's command interface does", $0A
                .byte "not answer any more. Switch the", $0A
                .byte "machine off and on.", 0
short_network:  .byte "NO NETWORK", 0
long_network:   .byte "The Ultimate has no network address.", $0A
                .byte "Look at the cable, or at Wi-Fi in its", $0A
                .byte "menu (F2).", 0
short_dns:      .byte "THAT NAME IS NOT KNOWN", 0
long_dns:       .byte "That name is not known in this", $0A
                .byte "network. Press E and type the", $0A
                .byte "bridge's number address instead.", 0
short_refused:  .byte "THE BRIDGE REFUSES", 0
long_refused:   .byte "Refused: nothing listens at that", $0A
                .byte "port. Is the bridge running, and is", $0A
                .byte "the port right?", 0
short_answer:   .byte "NO ANSWER FROM THE BRIDGE", 0
long_answer:    .byte "No answer from that address. Is the", $0A
                .byte "bridge switched on and in this", $0A
                .byte "network?", 0
short_route:    .byte "NO WAY TO THE BRIDGE", 0
long_route:     .byte "There is no way to that address.", $0A
                .byte "Look at the cable, at Wi-Fi and at", $0A
                .byte "the address.", 0
short_socket:   .byte "NO SOCKET LEFT", 0
long_socket:    .byte "The Ultimate has no connection left.", $0A
                .byte "Switch the machine off and on: a", $0A
                .byte "reset does not free them.", 0
short_open:     .byte "CONNECTING FAILED", 0
long_open:      .byte "The Ultimate could not connect, and", $0A
                .byte "does not say why.", 0
short_closed:   .byte "THE BRIDGE HUNG UP", 0
long_closed:    .byte "The bridge closed the connection.", 0
short_line:     .byte "THE LINE IS CUT", 0
long_line:      .byte "The connection broke.", 0
short_silent:   .byte "THE BRIDGE IS SILENT", 0
long_silent:    .byte "Connected, but the bridge is silent.", $0A
                .byte "Is that address really a bridge?", 0
short_frame:    .byte "THAT IS NO PROMPT64 BRIDGE", 0
long_frame:     .byte "What answers there is no Prompt64", $0A
                .byte "bridge. Look at the port.", 0
short_version:  .byte "ANOTHER VERSION OF PROMPT64", 0
long_version:   .byte "The bridge speaks another version of", $0A
                .byte "Prompt64. Load this program from the", $0A
                .byte "bridge's own page.", 0
short_paired:   .byte "NOT PAIRED", 0
long_paired:    .byte "Not paired: the bridge does not know", $0A
                .byte "this C64. Press E and type the code", $0A
                .byte "that the bridge's page shows.", 0
short_later:    .byte "TRY LATER", 0
long_later:     .byte "Too many wrong codes. Try again in a", $0A
                .byte "minute.", 0
short_expired:  .byte "LEASE EXPIRED - RETURN BEGINS ANEW", 0
long_expired:   .byte "That session is gone (lease expired).", $0A
                .byte "RETURN begins a new one.", 0
short_in_use:   .byte "LEASE IN USE", 0
long_in_use:    .byte "Lease in use: the bridge still holds", $0A
                .byte "the old connection of this session.", 0
short_full:     .byte "BRIDGE FULL", 0
long_full:      .byte "Bridge full: too many C64s are", $0A
                .byte "connected to it.", 0
short_host:     .byte "NO ADDRESS", 0
long_host:      .byte "There is no address yet. Type where the", $0A
                .byte "bridge is, and RETURN.", 0
long_acia:      .byte "No SwiftLink or Turbo232 is there, or", $0A
                .byte "it has not that speed (S).", 0
short_acia:     .byte "NO SERIAL CARTRIDGE", 0
short_serial:   .byte "THE SERIAL LINE IS SILENT", 0
long_serial:    .byte "The serial line is silent. Look at the", $0A
                .byte "cable, the bridge and both speeds.", 0
