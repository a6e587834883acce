import type { Page } from 'playwright-core';

/** Stops of the Tab key before a walk is given up: no page has as many. */
const MAX_STOPS = 400;

interface Stop {
  readonly id: number;
  readonly words: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The innermost part around it: sight goes through the parts one after the other. */
  readonly part: number;
}

/**
 * Walks through a page by Tab, and compares with what is seen.
 * @returns one line for each control that Tab does not reach, and for each step against the order of sight inside of a part
 */
export async function focusOrderProblems(page: Page): Promise<string[]> {
  const problems = await walkFocus(page);
  // A guard of a dialog hands the focus on a moment later on a busy machine; what is wrong comes again.
  return problems.length === 0 ? problems : walkFocus(page);
}

async function walkFocus(page: Page): Promise<string[]> {
  const expected = await page.evaluate(markControls);
  await page.evaluate(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.closest('[role="dialog"]') === null) focused.blur();
  });
  // A dialog opens with the focus on one of its controls.
  const start = await page.evaluate(focusedStop);
  const stops: Stop[] = [];
  for (let count = 0; count < MAX_STOPS; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusedStop);
    // Editors in a shadow root and the end of the page are no controls of it.
    if (stop === undefined) continue;
    // The parts of a date are stops of one control.
    if (stops.at(-1)?.id === stop.id) continue;
    if (stops.some(({ id }) => id === stop.id)) break;
    stops.push(stop);
  }
  const reached = new Set([...(start === undefined ? [] : [start]), ...stops].map(({ id }) => id));
  const missed = expected.filter(({ id }) => !reached.has(id)).map(({ words }) => `Tab does not reach ${words}`);
  const first = Math.min(...expected.map(({ id }) => id));
  const backward = stops.flatMap((stop, index) => {
    const before = stops[index - 1];
    // After the last control of a dialog comes its first one.
    if (stop.id === first) return [];
    return before !== undefined && before.part === stop.part && isBackward(before, stop)
      ? [`Tab goes from ${before.words} back to ${stop.words}`]
      : [];
  });
  return [...missed, ...backward];
}

function isBackward(from: Stop, to: Stop): boolean {
  const isAbove = to.bottom <= from.top && to.left < from.right && from.left < to.right;
  return isAbove || (to.right <= from.left && isOnOneLine(from, to));
}

/** Controls of two lines may touch each other. */
function isOnOneLine(one: Stop, other: Stop): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > Math.min(one.bottom - one.top, other.bottom - other.top) / 2;
}

/** Runs in the page: numbers every control that is seen, and returns those that Tab has to reach. */
function markControls(): { readonly id: number; readonly words: string }[] {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  const within = dialogs[dialogs.length - 1] ?? document;
  const controls = within.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])',
  );
  return [...controls].flatMap((control, id) => {
    const { width, height } = control.getBoundingClientRect();
    const isSeen = width > 1 && height > 1 && control.checkVisibility({ visibilityProperty: true });
    control.dataset.stop = String(id);
    // One member of a list, a menu or a row of tabs takes the focus for all; arrows go on.
    const isMember = control.tabIndex < 0;
    const isOff = control.matches(':disabled') || control.closest('[inert], [aria-hidden="true"]') !== null;
    const isOtherRadio = control instanceof HTMLInputElement && control.type === 'radio' && !control.checked;
    const words = `${control.tagName.toLowerCase()} "${(control.ariaLabel ?? control.textContent).trim().slice(0, 40)}"`;
    return isSeen && !isMember && !isOff && !isOtherRadio ? [{ id, words }] : [];
  });
}

/** Runs in the page: returns where the focus is; undefined outside of the controls. */
function focusedStop(): Stop | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused.dataset.stop === undefined) return undefined;
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  // The focus scrolls: places are those of the whole content.
  const ancestors: Element[] = [];
  for (let element = focused.parentElement; element !== null; element = element.parentElement) ancestors.push(element);
  const down = ancestors.reduce((sum, { scrollTop }) => sum + scrollTop, 0);
  const along = ancestors.reduce((sum, { scrollLeft }) => sum + scrollLeft, 0);
  const parts = [
    ...document.querySelectorAll(
      'section, nav, header, [role="grid"], [role="tree"], form, main, [role="group"], [role="dialog"], [role="tabpanel"]',
    ),
  ];
  const part = parts.findLastIndex((element) => element.contains(focused));
  const words = `${focused.tagName.toLowerCase()} "${(focused.ariaLabel ?? focused.textContent).trim().slice(0, 40)}"`;
  return {
    id: Number(focused.dataset.stop),
    words,
    left: left + along,
    top: top + down,
    right: right + along,
    bottom: bottom + down,
    part,
  };
}
