"""A small server of WHIP and WHEP on aiortc: what is published to a stream is decoded, and encoded again for each viewer.

Prints the port that it listens on. Ends with its standard input. Its argument names something odd that it does, as some
product does it; a second one is the port.
"""

import asyncio
import re
import sys
import uuid

from aioice import ice
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaRelay
from aiortc.sdp import candidate_from_sdp

# Of loopback alone: else it leaves that out.
ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]
relay = MediaRelay()
streams = {}
sessions = {}
odd = sys.argv[1] if len(sys.argv) > 1 else ""
asked = set()
padded_views = []


async def answer_to(pc):
    await pc.setLocalDescription(await pc.createAnswer())
    return await over_tcp(pc.localDescription.sdp) if odd == "tcp" else pc.localDescription.sdp


async def over_tcp(sdp):
    """One candidate, of TCP (RFC 6544): what comes there, framed (RFC 4571), goes on to the UDP port that there is."""
    port = int(re.search(r"a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) ", sdp)[1])

    async def carry(reader, writer):
        class Back(asyncio.DatagramProtocol):
            def datagram_received(self, data, _):
                writer.write(len(data).to_bytes(2, "big") + data)

        there, _ = await asyncio.get_running_loop().create_datagram_endpoint(Back, remote_addr=("127.0.0.1", port))
        try:
            while True:
                there.sendto(await reader.readexactly(int.from_bytes(await reader.readexactly(2), "big")))
        except (asyncio.IncompleteReadError, ConnectionError):
            there.close()
            writer.close()

    listening = await asyncio.start_server(carry, "127.0.0.1", 0)
    at = listening.sockets[0].getsockname()[1]
    line = f"a=candidate:1 1 tcp 1671430143 127.0.0.1 {at} typ host tcptype passive"
    sdp = re.sub(r"(a=candidate:.*\r\n)+", "", sdp)
    return sdp.replace("a=end-of-candidates", f"{line}\r\na=end-of-candidates")


def offered(sdp):
    """With TCP alone it must not find its own way to the browser's UDP ports: they are closed to it."""
    return re.sub(r"(a=candidate:\S+ 1) \S+ (\d+) \S+ \d+ .*", r"\1 udp \2 127.0.0.1 9 typ host", sdp) if odd == "tcp" else sdp


def padding_after_pictures(sender):
    """After the last packet of each picture come some that are nothing but padding, under the next numbers."""
    send = sender.transport._send_rtp
    picture = sender._ssrc.to_bytes(4, "big")
    added = 0
    bytes_sent = {"media": 0, "padding": 0}
    padded_views.append(bytes_sent)

    async def padded(data):
        nonlocal added
        # Sound, what is sent again and what is no RTP is left as it is: all of them are on one connection.
        if 192 <= data[1] <= 223 or data[8:12] != picture:
            return await send(data)
        numbered = lambda: ((int.from_bytes(data[2:4], "big") + added) % 65536).to_bytes(2, "big")
        await send(data[:2] + numbered() + data[4:])
        head = 12 + 4 * (data[0] & 15)
        if data[0] & 16:
            head += 4 + 4 * int.from_bytes(data[head + 2:head + 4], "big")
        bytes_sent["media"] += len(data) - head
        for _ in range(12 if data[1] >= 128 else 0):
            added += 1
            await send(bytes([data[0] | 32, data[1] & 127]) + numbered() + data[4:head] + bytes(223) + bytes([224]))
            bytes_sent["padding"] += 224

    sender.transport._send_rtp = padded


def created(request, pc, sdp, on_end=lambda: None):
    name = uuid.uuid4().hex
    sessions[name] = (pc, on_end)
    # Relative to the address that was asked.
    way = request.path.rsplit("/", 1)[1]
    headers = {} if odd == "no-location" else {"Location": f"{way}/{name}"}
    if odd == "names":
        sdp = sdp.replace(" 127.0.0.1 ", " localhost ")
    if odd == "first-section-refused" and way == "whep":
        sdp = refused_first(sdp)
    return web.Response(status=201, text=sdp, content_type="application/sdp", headers=headers)


def refused_first(sdp):
    session, first, *rest = sdp.split("m=")
    session = session.replace("a=group:BUNDLE 0 1", "a=group:BUNDLE 1")
    media = first.split(" ", 1)
    refused = f"{media[0]} 0 {media[1].split(' ', 1)[1].splitlines()[0]}\r\nc=IN IP4 0.0.0.0\r\na=inactive\r\na=mid:0\r\n"
    return "m=".join([session, refused, *rest])


async def publish(request):
    stream = request.match_info["stream"]
    if stream in streams:
        return web.Response(status=409, text="published already")
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    tracks = []
    streams[stream] = tracks
    # A voice agent answers on the same connection, here with what it hears.
    pc.on("track", lambda track: pc.addTrack(relay.subscribe(track)) if odd == "agent" else tracks.append(track))
    try:
        await pc.setRemoteDescription(RTCSessionDescription(offered(await request.text()), "offer"))
    except Exception as error:
        del streams[stream]
        await pc.close()
        return web.Response(status=400, text=str(error))
    return created(request, pc, await answer_to(pc), lambda: streams.pop(stream, None))


async def view(request):
    if odd == "429" and request.path not in asked:
        asked.add(request.path)
        return web.Response(status=429, headers={"Retry-After": "1"})
    tracks = streams.get(request.match_info["stream"])
    if not tracks:
        return web.Response(status=404, text="no such stream", headers={"Retry-After": "1"})
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    try:
        await pc.setRemoteDescription(RTCSessionDescription(offered(await request.text()), "offer"))
        for track in tracks:
            if odd != "first-section-refused" or track.kind == "video":
                sender = pc.addTrack(relay.subscribe(track))
                if odd == "padding" and track.kind == "video":
                    padding_after_pictures(sender)
        return created(request, pc, await answer_to(pc))
    except Exception as error:
        await pc.close()
        return web.Response(status=400, text=str(error))


async def options(request):
    headers = {"Accept-Post": "application/sdp"}
    if odd == "late-etag":
        headers["Accept-Patch"] = "application/trickle-ice-sdpfrag"
    return web.Response(status=204, headers=headers)


async def trickle(request):
    """The first names the tag that all further ones must show."""
    name = request.match_info["session"]
    pc, _ = sessions.get(name, (None, None))
    if pc is None:
        return web.Response(status=404)
    if name in asked and request.headers.get("If-Match") != '"late"':
        return web.Response(status=428)
    asked.add(name)
    for line in (await request.text()).splitlines():
        if line.startswith("a=candidate:") and " udp " in line and ".local" not in line:
            candidate = candidate_from_sdp(line[len("a=candidate:"):])
            candidate.sdpMid = "0"
            await pc.addIceCandidate(candidate)
    return web.Response(status=204, headers={"ETag": '"late"'})


async def end(request):
    if odd == "405":
        return web.Response(status=405)
    pc, on_end = sessions.pop(request.match_info["session"], (None, None))
    if pc is None:
        return web.Response(status=404)
    on_end()
    await pc.close()
    return web.Response()


async def count(request):
    return web.json_response(len(sessions))


async def sent(request):
    return web.json_response(padded_views)


async def main():
    app = web.Application()
    app.router.add_post("/{stream}/whip", publish)
    app.router.add_post("/{stream}/whep", view)
    app.router.add_delete("/{stream}/{way}/{session}", end)
    app.router.add_patch("/{stream}/{way}/{session}", trickle)
    app.router.add_route("OPTIONS", "/{stream}/{way}", options)
    app.router.add_get("/sessions", count)
    app.router.add_get("/sent", sent)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for pc, _ in sessions.values():
        await pc.close()
    await runner.cleanup()


asyncio.run(main())
