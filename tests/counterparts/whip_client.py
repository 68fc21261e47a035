"""A client of WHIP and WHEP on aiortc: publishes a picture and a sound of its own, views them, and prints what arrived.

Arguments: the address for publishing, that for viewing, and seconds.
"""

import asyncio
import json
import sys
from urllib.parse import urljoin

import aiohttp
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack, MediaStreamError, VideoStreamTrack


async def offer(http, url, pc):
    """The address of the session that was made."""
    await pc.setLocalDescription(await pc.createOffer())
    headers = {"Content-Type": "application/sdp"}
    async with http.post(url, data=pc.localDescription.sdp, headers=headers) as response:
        text = await response.text()
        if response.status != 201:
            raise SystemExit(f"{response.status}: {text}")
        await pc.setRemoteDescription(RTCSessionDescription(text, "answer"))
        return urljoin(url, response.headers["Location"])


async def count(track, counts):
    try:
        while True:
            await track.recv()
            counts[track.kind] += 1
    except MediaStreamError:
        pass


async def main(whip, whep, seconds):
    counts = {"audio": 0, "video": 0}
    counting = []
    publisher, viewer = (RTCPeerConnection(RTCConfiguration(iceServers=[])) for _ in range(2))
    for track in (AudioStreamTrack(), VideoStreamTrack()):
        publisher.addTransceiver(track, direction="sendonly")
    for kind in ("audio", "video"):
        viewer.addTransceiver(kind, direction="recvonly")
    viewer.on("track", lambda track: counting.append(asyncio.ensure_future(count(track, counts))))
    async with aiohttp.ClientSession() as http:
        made = [await offer(http, whip, publisher), await offer(http, whep, viewer)]
        await asyncio.sleep(seconds)
        ended = []
        for url in reversed(made):
            async with http.delete(url) as response:
                ended.append(response.status)
    await viewer.close()
    await publisher.close()
    print(json.dumps({**counts, "ended": ended}))


asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
