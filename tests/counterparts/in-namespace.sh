#!/bin/sh
# In a network namespace of its own (unshare -n), since libnice takes no loopback address: the embedded server, a publisher by
# WHIP and a viewer by WHEP of GStreamer. Prints what the viewer says, and how many sessions the server then holds.
#   in-namespace.sh CLIENT SERVER…
set -eu
client=$1; shift
ip link set lo up
ip link add name here type veth peer name there
ip addr add 10.99.0.1/24 dev here
ip link set here up
ip link set there up
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
mkfifo "$said/server" "$said/publisher"
"$@" serve --host 10.99.0.1 --port 8890 --exit-with-stdin <"$said/server" >"$said/words" &
exec 3>"$said/server"
for _ in $(seq 100); do grep -q '^whep' "$said/words" && break; sleep 0.2; done
at=http://10.99.0.1:8890/theirs
"$client" whipsink name=out auth-token="$LOADLINE_SERVE_TOKEN" whip-endpoint=$at/whip \
  videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=15/1 ! \
  vp8enc deadline=1 cpu-used=8 keyframe-max-dist=30 ! rtpvp8pay ! application/x-rtp,payload=96 ! out.sink_0 \
  audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay ! application/x-rtp,payload=97 ! out.sink_1 \
  <"$said/publisher" &
publisher=$!
exec 4>"$said/publisher"
# It comes before the stream is there: whepsrc does not try again.
for _ in $(seq 50); do
  node -e 'fetch(process.argv[1],{headers:{authorization:`Bearer ${process.env.LOADLINE_SERVE_TOKEN}`}}).then(async(r)=>process.exit((await r.json()).endpoints===1?0:1))' \
    http://10.99.0.1:8890/loadline/resources && break
  sleep 0.2
done
sleep 8 | "$client" whepsrc name=in auth-token="$LOADLINE_SERVE_TOKEN" whep-endpoint=$at/whep \
  in. ! fakesink async=false in. ! fakesink async=false
exec 4>&-
wait $publisher
node -e 'fetch(process.argv[1],{headers:{authorization:`Bearer ${process.env.LOADLINE_SERVE_TOKEN}`}}).then(async(r)=>console.log(`${(await r.json()).endpoints} left`))' \
  http://10.99.0.1:8890/loadline/resources
exec 3>&-
wait
