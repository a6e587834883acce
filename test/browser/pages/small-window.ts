import type { Page } from 'playwright-core';

/** WCAG 1.4.10: a window of 1280 pixels at a zoom of 400 %. */
const WIDTH = 320;
/** Milliseconds in which a page is drawn for another window; long pages need some on slow machines. */
const PATIENCE = 20_000;
const HEIGHTS = { tall: 640, short: 256 } as const;

/**
 * Returns a line for each rule about small windows that a page breaks.
 * It may not scroll sideways in 320 pixels, and 320 × 256 pixels have to show a line of its content.
 */
export async function smallWindowProblems(page: Page): Promise<string[]> {
  await page.evaluate(scrollToBeginning);
  await page.setViewportSize({ width: WIDTH, height: HEIGHTS.tall });
  // Lists measure themselves after the window has changed.
  const fits = page.waitForFunction((width) => document.documentElement.scrollWidth <= width, WIDTH, {
    timeout: PATIENCE,
  });
  const wide = await fits.then(
    () => [],
    () => ['is wider than a window of 320 pixels'],
  );
  await page.setViewportSize({ width: WIDTH, height: HEIGHTS.short });
  const isSeen = page.waitForFunction(showsContent, undefined, { timeout: PATIENCE });
  const empty = await isSeen.then(
    () => [],
    () => ['shows nothing of its content in a window of 320 × 256 pixels'],
  );
  return [...wide, ...empty];
}

/** Runs in the page, which earlier checks may have left at any place. */
function scrollToBeginning(): void {
  for (const element of document.querySelectorAll('*')) if (element.scrollTop > 0) element.scrollTop = 0;
}

/** Runs in the page: returns whether a line of the content, or of the innermost dialog, is seen whole. */
function showsContent(): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]');
  const content = dialogs[dialogs.length - 1] ?? document.querySelector('main');
  const lines = content?.querySelectorAll(
    'p, li, dt, dd, td, th, h2, h3, label, [role="row"], [role="treeitem"], [role="tab"], [role="menuitem"], button, input, textarea, canvas',
  );
  return [...(lines ?? [])].some((line) => {
    const { left, right, top, bottom } = line.getBoundingClientRect();
    if (right - left < 16 || bottom - top < 12 || top < 0 || bottom > innerHeight) return false;
    const seen = document.elementFromPoint((Math.max(0, left) + Math.min(innerWidth, right)) / 2, (top + bottom) / 2);
    return seen !== null && (line.contains(seen) || seen.contains(line));
  });
}
