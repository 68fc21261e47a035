/** In the page of the mixed-sound test: members of a room of sound, each with a tone of its own. */
const context = new AudioContext();
const peers = [];
const room = {
  async join(member, hertz) {
    const tone = new OscillatorNode(context, { frequency: hertz });
    const voice = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
    tone.connect(new GainNode(context, { gain: 0.2 })).connect(voice);
    tone.start();
    const peer = new RTCPeerConnection();
    const ear = new AnalyserNode(context, { fftSize: 16_384, smoothingTimeConstant: 0 });
    peers[member] = { peer, ear, early: [] };
    peer.ontrack = ({ track }) => {
      const stream = new MediaStream([track]);
      // Chromium gives the sound of a connection to nobody before an element plays it.
      Object.assign(new Audio(), { srcObject: stream, muted: true }).play();
      new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(ear);
    };
    peer.onicecandidate = ({ candidate }) => {
      if (candidate?.candidate) void trickle(member, candidate.toJSON());
    };
    peer.addTrack(voice.stream.getAudioTracks()[0], voice.stream);
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
  /** How loud each tone is in what a member hears, dB. */
  hear(member, tones) {
    const { ear } = peers[member];
    const spectrum = new Float32Array(ear.frequencyBinCount);
    ear.getFloatFrequencyData(spectrum);
    const width = context.sampleRate / ear.fftSize;
    return tones.map((hertz) => {
      const at = Math.round(hertz / width);
      return Math.max(...spectrum.slice(at - 2, at + 3));
    });
  },
};
globalThis.room = room;
