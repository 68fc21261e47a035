/** In the page of the mixed-picture test: four members of a room, each with a colour of its own. */
const peers = [];
const painted = (colour) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  const brush = canvas.getContext('2d');
  let tick = 0;
  setInterval(() => {
    if (!brush) return;
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 320, 180);
    brush.fillStyle = 'white';
    tick += 1;
    brush.fillRect((tick * 7) % 320, 0, 40, 180);
  }, 50);
  return canvas.captureStream(20).getVideoTracks()[0];
};
const pixels = (video, quadrant) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 60 });
  const brush = canvas.getContext('2d');
  if (!brush) throw new Error('no canvas');
  const [width, height] = [video.videoWidth / 2, video.videoHeight / 2];
  const [left, top] = [(quadrant % 2) * width, Math.floor(quadrant / 2) * height];
  brush.drawImage(video, left, top, width, height, 0, 0, 80, 60);
  return brush.getImageData(0, 0, 80, 60).data;
};
const medianOf = (data, channel) => {
  const values = Array.from(data).filter((_, index) => index % 4 === channel);
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
};
const room = {
  async join(member, colour) {
    const peer = new RTCPeerConnection();
    const video = Object.assign(document.createElement('video'), { autoplay: true, muted: true });
    // Out of sight, Chromium pauses what plays by itself.
    video.style.width = '300px';
    document.body.append(video);
    peers[member] = { peer, video, early: [] };
    peer.ontrack = ({ track }) => {
      if (track.kind === 'video') video.srcObject = new MediaStream([track]);
    };
    peer.onicecandidate = ({ candidate }) => {
      if (candidate?.candidate) void trickle(member, candidate.toJSON());
    };
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
    peer.addTrack(microphone.getAudioTracks()[0], microphone);
    peer.addTransceiver(painted(colour), { direction: 'sendrecv' });
    await peer.setLocalDescription(await peer.createOffer());
    const sdp = await negotiate(member, peer.localDescription?.sdp ?? '');
    await peer.setRemoteDescription({ type: 'answer', sdp });
    for (const candidate of peers[member]?.early ?? []) await peer.addIceCandidate(candidate);
  },
  async candidate(member, candidate) {
    const one = peers[member];
    if (one?.peer.remoteDescription) await one.peer.addIceCandidate(candidate);
    else one?.early.push(candidate);
  },
  async look(member) {
    const video = peers[member]?.video;
    if (!video) throw new Error('not joined');
    const before = [0, 1, 2, 3].map((quadrant) => pixels(video, quadrant));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = [0, 1, 2, 3].map((quadrant) => pixels(video, quadrant));
    return {
      width: video.videoWidth,
      height: video.videoHeight,
      quadrants: before.map((data) => ({
        red: medianOf(data, 0),
        green: medianOf(data, 1),
        blue: medianOf(data, 2),
      })),
      moved: before.map((data, quadrant) => {
        const other = after[quadrant] ?? data;
        return data.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / data.length;
      }),
    };
  },
};
globalThis.room = room;
