import { execFile } from 'node:child_process';

/** The GStreamer elements that a mixed room needs, and the Debian packages that hold them. */
const elements = ['compositor', 'audiomixer', 'vp8enc', 'vp8dec', 'opusenc', 'opusdec', 'rtpbin'] as const;
const gstreamerPackages = 'gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good';
export const gstreamerInstallCommand = `sudo apt-get install ${gstreamerPackages}`;

let isHere = false;

/** Whether `gst-launch-1.0` has every element that a mixer uses. Once found, it is not looked for again. */
export async function hasGStreamer(): Promise<boolean> {
  isHere ||= await isFound();
  return isHere;
}

async function isFound(): Promise<boolean> {
  if (!(await runs('gst-launch-1.0', ['--version']))) return false;
  const found = await Promise.all(elements.map((element) => runs('gst-inspect-1.0', ['--exists', element])));
  return found.every(Boolean);
}

function runs(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 10_000 }, (error) => resolve(error === null));
  });
}
