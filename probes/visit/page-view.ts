import type { CDPSession, Page } from 'playwright-core';
import { atMost } from '../../host/bounded-wait.js';

/** Further out than anything that an app lays out, CSS pixels. */
const nowhere = { x: 1_000_000, y: 1_000_000, width: 1, height: 1, scale: 1 } as const;
/** A page that is too busy to answer does what it was told when it gets to it. */
const answerBoundMs = 1_000;

/**
 * Which part of a page is in view, and so is painted. To move it is an override of Chromium's DevTools protocol that
 * pages do not observe: layout, intersections, visibility, animation frames and what videos play stay as they are; the
 * pictures of videos are neither converted nor composed any more, and count as dropped in `getVideoPlaybackQuality()`.
 */
export class PageView {
  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async of(page: Page): Promise<PageView> {
    return new PageView(page, await page.context().newCDPSession(page));
  }

  /** Nothing of the page is painted. Clicks and pictures of it miss. Rejects when the page is gone. */
  takeAway(): Promise<void> {
    return this.show(nowhere);
  }

  /** Rejects when the page is gone. */
  bringBack(): Promise<void> {
    return this.show();
  }

  /** What the driver set is said again, because an override is set as a whole. */
  private async show(viewport?: typeof nowhere): Promise<void> {
    const size = this.page.viewportSize();
    if (!size) return;
    const set = this.session.send('Emulation.setDeviceMetricsOverride', {
      ...size,
      screenWidth: size.width,
      screenHeight: size.height,
      deviceScaleFactor: 1,
      mobile: false,
      screenOrientation: { type: 'landscapePrimary', angle: 0 },
      ...(viewport ? { viewport } : {}),
    });
    await atMost(answerBoundMs, set);
  }
}
