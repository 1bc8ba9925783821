module github.com/prompt64/prompt64

go 1.26.0

require (
	aead.dev/minisign v0.3.0
	github.com/beevik/go6502 v0.3.0
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/coder/acp-go-sdk v0.13.0
	github.com/coder/websocket v1.8.15
	github.com/diskfs/go-diskfs v1.9.4
	github.com/gdamore/tcell/v2 v2.13.10
	github.com/google/go-cmp v0.7.0
	github.com/google/renameio/v2 v2.0.2
	github.com/klauspost/compress v1.20.4
	github.com/mdlayher/genetlink v1.4.0
	github.com/mdlayher/netlink v1.11.2
	github.com/mdlayher/wifi v0.10.0
	github.com/rivo/uniseg v0.4.7
	github.com/rogpeppe/go-internal v1.16.0
	github.com/skip2/go-qrcode v0.0.0-20200617195104-da1b6568686e
	github.com/thejerf/suture/v4 v4.0.6
	github.com/ulikunitz/xz v0.5.17
	go.bug.st/serial v1.8.0
	go.uber.org/goleak v1.3.0
	golang.org/x/crypto v0.58.0
	golang.org/x/mod v0.42.0
	golang.org/x/net v0.61.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.47.0
	golang.org/x/text v0.44.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/antihax/optional v1.0.0 // indirect
	github.com/beevik/ntp v0.3.0 // indirect
	github.com/donovanhide/eventsource v0.0.0-20210830082556-c59027999da0 // indirect
	github.com/gokrazy/gokapi v0.0.0-20251205165548-0927bab199d4 // indirect
	github.com/google/gopacket v1.1.19 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/josharian/native v1.1.0 // indirect
	github.com/kenshaw/evdev v0.1.0 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/mdlayher/packet v1.1.2 // indirect
	github.com/mdlayher/socket v0.6.0 // indirect
	github.com/mdlayher/watchdog v0.0.0-20201005150459-8bdc4f41966b
	github.com/rtr7/dhcp4 v0.0.0-20220302171438-18c84d089b46 // indirect
	github.com/spf13/cobra v1.9.1 // indirect
	github.com/spf13/pflag v1.0.6 // indirect
	github.com/vishvananda/netlink v1.1.0 // indirect
	github.com/vishvananda/netns v0.0.0-20211101163701-50045581ed74 // indirect
	golang.org/x/crypto/x509roots/fallback v0.0.0-20250911151450-96dc232fbd79 // indirect
	golang.org/x/oauth2 v0.27.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
)

require (
	github.com/anchore/go-lzo v0.1.0 // indirect
	github.com/gdamore/encoding v1.0.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/gokrazy/firmware v0.0.0-20260522070551-527ce0ed43cf // indirect
	github.com/gokrazy/gokrazy v0.0.0-20260418085648-c38c3134b8a7 // indirect
	github.com/gokrazy/internal v0.0.0-20251208203110-3c1aa9087c82 // indirect
	github.com/gokrazy/kernel.amd64 v0.0.0-20260705070735-de680abf072b // indirect
	github.com/gokrazy/kernel.arm64 v0.0.0-20260705071517-37841c4d6ff1 // indirect
	github.com/gokrazy/kernel.rpi v0.0.0-20251127164438-9778ec0261de // indirect
	github.com/gokrazy/tools v0.0.0-20260109180632-8ed49b4fafc7 // indirect
	github.com/gokrazy/updater v0.0.0-20250705135802-db129c40879c // indirect
	github.com/lucasb-eyer/go-colorful v1.3.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.26 // indirect
	github.com/pkg/xattr v0.4.12 // indirect
	github.com/stretchr/testify v1.10.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

tool (
	github.com/gokrazy/firmware
	github.com/gokrazy/gokrazy
	github.com/gokrazy/gokrazy/cmd/dhcp
	github.com/gokrazy/gokrazy/cmd/heartbeat
	github.com/gokrazy/gokrazy/cmd/ntp
	github.com/gokrazy/gokrazy/cmd/randomd
	github.com/gokrazy/kernel.amd64
	github.com/gokrazy/kernel.arm64
	github.com/gokrazy/kernel.rpi
	github.com/gokrazy/tools/cmd/gok
)
