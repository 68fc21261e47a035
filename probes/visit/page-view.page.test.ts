import { expect } from '@playwright/test';
import { test } from '../../tests/visit/visit-stage.js';
import type { JoinScript } from './join-script.js';
import { PageView } from './page-view.js';

/** What an app can tell of how it is looked at; runs in the page, for two seconds. */
const lookAround = `(async () => {
  const video = document.querySelector('video');
  const seen = { entries: [], events: window.heard ??= [] };
  if (!window.listens) for (const name of ['resize', 'scroll', 'visibilitychange', 'blur', 'focus', 'freeze']) {
    addEventListener(name, () => heard.push(name), true);
    visualViewport.addEventListener(name, () => heard.push('visual ' + name));
  }
  window.listens = true;
  heard.splice(0);
  const entry = ({ isIntersecting, intersectionRatio, isVisible }) => [isIntersecting, intersectionRatio, isVisible];
  const observer = new IntersectionObserver((list) => seen.entries.push(...list.map(entry)), { trackVisibility: true, delay: 100 });
  observer.observe(video);
  const counts = { animation: 0, video: 0, drawn: new Set() };
  let goesOn = true;
  const animate = () => { counts.animation += 1; if (goesOn) requestAnimationFrame(animate); };
  requestAnimationFrame(animate);
  const canvas = new OffscreenCanvas(32, 18).getContext('2d', { willReadFrequently: true });
  const next = () => {
    counts.video += 1;
    canvas.drawImage(video, 0, 0, 32, 18);
    counts.drawn.add(canvas.getImageData(0, 0, 32, 18).data.join());
    if (goesOn) video.requestVideoFrameCallback(next);
  };
  video.requestVideoFrameCallback(next);
  const [playedFrom, before] = [video.currentTime, video.getVideoPlaybackQuality()];
  await new Promise((done) => setTimeout(done, 2000));
  goesOn = false;
  observer.disconnect();
  const after = video.getVideoPlaybackQuality();
  const { width, height, scale, offsetLeft, offsetTop, pageLeft, pageTop } = visualViewport;
  const { availWidth, availHeight, orientation } = screen;
  return {
    same: {
      seen: { ...seen, events: [...heard] },
      visibility: [document.visibilityState, document.hidden, document.hasFocus(), video.checkVisibility()],
      window: [innerWidth, innerHeight, outerWidth, outerHeight, screenX, screenY, scrollX, scrollY, devicePixelRatio],
      screen: [screen.width, screen.height, availWidth, availHeight, orientation.type, orientation.angle],
      view: { width, height, scale, offsetLeft, offsetTop, pageLeft, pageTop },
      box: video.getBoundingClientRect().toJSON(),
      at: document.elementFromPoint(20, 20).tagName,
      media: ['(hover: hover)', '(pointer: fine)', '(resolution: 1dppx)', '(min-width: 1280px)'].map((query) => matchMedia(query).matches),
      picture: [video.videoWidth, video.videoHeight, video.paused, video.readyState],
    },
    alive: {
      animation: counts.animation > 20,
      video: counts.video > 10,
      drawn: counts.drawn.size > 10,
      plays: video.currentTime - playedFrom > 1,
      frames: after.totalVideoFrames - before.totalVideoFrames > 20,
    },
    dropped: after.droppedVideoFrames - before.droppedVideoFrames,
  };
})()`;

interface Seen {
  readonly same: { readonly visibility: readonly unknown[] };
  readonly alive: Readonly<Record<string, boolean>>;
  readonly dropped: number;
}

test('an app sees the same world out of view as in it, but for pictures that count as dropped', async ({ stage }) => {
  const scene = async ({ visited: { page } }: Parameters<Parameters<typeof stage.visiting>[1]>[0]) => {
    await page.evaluate('ready.then(() => undefined)');
    await page.waitForFunction('document.querySelector("video")?.videoWidth > 0');
    const view = await PageView.of(page);
    const looks: Seen[] = [await page.evaluate(lookAround)];
    await view.takeAway();
    looks.push(await page.evaluate(lookAround));
    await view.bringBack();
    looks.push(await page.evaluate(lookAround));
    const [before, out, again] = looks;
    expect(before?.same.visibility).toEqual(['visible', false, true, true]);
    const all = { animation: true, video: true, drawn: true, plays: true, frames: true };
    expect(looks.map(({ alive }) => alive)).toEqual([all, all, all]);
    expect(out?.same).toEqual(before?.same);
    expect(again?.same).toEqual(before?.same);
    expect(out?.dropped).toBeGreaterThan(20);
    expect([before?.dropped, again?.dropped].every((count) => (count ?? 20) < 20)).toBe(true);
  };
  await stage.visiting('/?act=call', scene, { painted: true });
});

test('a page out of view is in its picture as a person would see it, and where the leaving script clicks', async ({
  stage,
}) => {
  const sign = `document.body.innerHTML = '<button style="width: 400px; height: 300px">leave</button>'`;
  const clicked: unknown[] = [];
  const script: JoinScript = {
    join: async ({ page }) => void (await page.evaluate(sign)),
    leave: async ({ page }) => {
      await page.exposeFunction('told', (what: unknown) => clicked.push(what));
      await page.evaluate('document.querySelector("button").onclick = ({ isTrusted }) => told(isTrusted)');
      await page.click('button', { timeout: 1_000 });
    },
    lineOf: () => undefined,
    unset: () => [],
  };
  const pictures: (Buffer | undefined)[] = [];
  for (const painted of [false, true]) {
    await stage.visiting('/?act=nothing', async ({ visited }) => void pictures.push(await visited.picture()), {
      painted,
      script,
    });
  }
  const [out, painted] = pictures;
  expect(painted?.length).toBeGreaterThan(1_000);
  expect(out?.equals(painted ?? Buffer.alloc(0))).toBe(true);
  expect(clicked).toEqual([true, true]);
});

test('a page that went out of view stays out of it when it opens itself anew', async ({ stage }) => {
  await stage.visiting('/?act=call', async ({ visited: { page } }) => {
    const dropped = async (): Promise<number> => {
      await page.waitForFunction('document.querySelector("video")?.getVideoPlaybackQuality().totalVideoFrames > 30');
      return page.evaluate('document.querySelector("video").getVideoPlaybackQuality().droppedVideoFrames');
    };
    expect(await dropped()).toBeGreaterThan(15);
    await page.reload();
    expect(await dropped()).toBeGreaterThan(15);
  });
});
