"""A small server of WHIP and WHEP on aiortc: what is published to a stream is decoded, and encoded again for each viewer.

Prints the port that it listens on. Ends with its standard input.
"""

import asyncio
import sys
import uuid

from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaRelay

relay = MediaRelay()
streams = {}
sessions = {}


async def answer_to(pc):
    await pc.setLocalDescription(await pc.createAnswer())
    return pc.localDescription.sdp


def created(request, pc, sdp, on_end=lambda: None):
    name = uuid.uuid4().hex
    sessions[name] = (pc, on_end)
    # Relative to the address that was asked.
    way = request.path.rsplit("/", 1)[1]
    headers = {"Location": f"{way}/{name}"}
    return web.Response(status=201, text=sdp, content_type="application/sdp", headers=headers)


async def publish(request):
    stream = request.match_info["stream"]
    if stream in streams:
        return web.Response(status=409, text="published already")
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    tracks = []
    streams[stream] = tracks
    pc.on("track", tracks.append)
    try:
        await pc.setRemoteDescription(RTCSessionDescription(await request.text(), "offer"))
    except Exception as error:
        del streams[stream]
        await pc.close()
        return web.Response(status=400, text=str(error))
    return created(request, pc, await answer_to(pc), lambda: streams.pop(stream, None))


async def view(request):
    tracks = streams.get(request.match_info["stream"])
    if not tracks:
        return web.Response(status=404, text="no such stream", headers={"Retry-After": "1"})
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    await pc.setRemoteDescription(RTCSessionDescription(await request.text(), "offer"))
    for track in tracks:
        pc.addTrack(relay.subscribe(track))
    return created(request, pc, await answer_to(pc))


async def end(request):
    pc, on_end = sessions.pop(request.match_info["session"], (None, None))
    if pc is None:
        return web.Response(status=404)
    on_end()
    await pc.close()
    return web.Response()


async def count(request):
    return web.json_response(len(sessions))


async def main():
    app = web.Application()
    app.router.add_post("/{stream}/whip", publish)
    app.router.add_post("/{stream}/whep", view)
    app.router.add_delete("/{stream}/{way}/{session}", end)
    app.router.add_get("/sessions", count)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for pc, _ in sessions.values():
        await pc.close()
    await runner.cleanup()


asyncio.run(main())
