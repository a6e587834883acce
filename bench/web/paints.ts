import type { Page } from 'playwright-core';

/** A moment of the page that the bench waits for. */
interface Condition {
  readonly kind: 'seen' | 'changed' | 'gone';
  readonly selector: string;
}

/** Functions that `watchPaints` leaves in the page. */
interface Paints {
  /** Starts to wait for a condition from the next key, or from now. */
  arm(condition: Condition, from: 'key' | 'now'): void;
  /** Resolves to milliseconds until the frame that showed it, and to the moment of that frame. */
  result(): Promise<Paint>;
}

export interface Paint {
  readonly took: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly from: number;
}

declare global {
  interface Window {
    benchPaints: Paints;
  }
}

/** Runs in the page before its scripts: waits for what is painted, without asking the page in a loop. */
export function watchPaints(): void {
  let result: Promise<Paint>;
  window.benchPaints = {
    arm({ kind, selector }, from) {
      const before = document.querySelector(selector);
      const textBefore = before?.textContent;
      const isThere = () => {
        const element = document.querySelector(selector);
        if (kind === 'gone') return element === null;
        // Two alerts may have the same words.
        const hasChanged = element !== before || element?.textContent !== textBefore;
        return element !== null && (kind === 'seen' || hasChanged);
      };
      let started = performance.now();
      if (from === 'key') {
        started = Number.POSITIVE_INFINITY;
        const note = (event: Event) => {
          started = event.timeStamp;
        };
        document.addEventListener('keydown', note, { capture: true, once: true });
      }
      result = new Promise((resolve) => {
        const look = () => {
          if (performance.now() < started || !isThere()) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            // A message comes after the frame that the callback belongs to was painted.
            port1.onmessage = () => {
              const now = performance.now();
              const origin = performance.timeOrigin;
              resolve({ took: now - started, at: origin + now, from: origin + started });
            };
            port2.postMessage(0);
          });
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        look();
      });
    },
    result: () => result,
  };
}

/** Waits in the page until a condition is painted after `act`; from the first key that `act` presses. */
export async function paintAfter(page: Page, condition: Condition, act: () => Promise<unknown>): Promise<Paint> {
  await page.evaluate((given) => window.benchPaints.arm(given, 'key'), condition);
  await act();
  return page.evaluate(() => window.benchPaints.result());
}
