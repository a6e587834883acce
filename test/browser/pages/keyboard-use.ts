import type { Locator, Page } from 'playwright-core';

/** Milliseconds in which a press opens or closes what it should. */
const PATIENCE = 5_000;

/**
 * Opens all menus, popovers and lists of a page by the keyboard, and closes them by Escape.
 * Of controls that are alike, as those of the rows of a list, one is used.
 * @returns one line for each that does not open or close, or does not give the focus back
 */
export async function keyboardUseProblems(page: Page): Promise<string[]> {
  const openers = page.locator('[data-use]');
  const count = await page.evaluate(markOpeners);
  const problems: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const opener = openers.and(page.locator(`[data-use="${index}"]`));
    if ((await opener.count()) === 0) continue;
    const problem = await useOpener(page, opener);
    if (problem !== undefined) {
      const name = await opener.evaluate((element) => element.ariaLabel ?? element.textContent ?? element.tagName);
      problems.push(`${name.trim().slice(0, 40)}: ${problem}`);
    }
  }
  return problems;
}

async function useOpener(page: Page, opener: Locator): Promise<string | undefined> {
  const isExpanded = async (expected: boolean) =>
    opener
      .and(page.locator(`[aria-expanded=${expected}]`))
      .waitFor({ state: 'attached', timeout: PATIENCE })
      .then(
        () => true,
        () => false,
      );
  await opener.focus();
  const isField = await opener.evaluate((element) => element instanceof HTMLInputElement);
  await page.keyboard.press(isField ? 'ArrowDown' : 'Enter');
  if (!(await isExpanded(true))) return 'does not open by the keyboard';
  await page.keyboard.press('Escape');
  if (!(await isExpanded(false))) return 'does not close by Escape';
  const hasFocus = await opener.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        const end = performance.now() + 2_000;
        const look = () => {
          if (element === document.activeElement || performance.now() > end)
            resolve(element === document.activeElement);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  return hasFocus ? undefined : 'does not get the focus back';
}

/** Runs in the page: numbers one of each kind of control that opens something, and returns the count. */
function markOpeners(): number {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  const within = dialogs[dialogs.length - 1] ?? document;
  const kinds = new Set<string>();
  for (const opener of within.querySelectorAll<HTMLElement>('[aria-haspopup][aria-expanded=false]')) {
    const { width, height } = opener.getBoundingClientRect();
    const isSeen = width > 1 && height > 1 && opener.checkVisibility({ visibilityProperty: true });
    const isOff =
      opener.matches(':disabled, [aria-disabled=true]') || opener.closest('[inert], [aria-hidden=true]') !== null;
    const row = opener.closest('[role=row], tr, li, dd');
    const kind = row === null ? `${kinds.size}` : `in a row: ${opener.className}`;
    if (!isSeen || isOff || opener.tabIndex < 0 || kinds.has(kind)) continue;
    opener.dataset.use = String(kinds.size);
    kinds.add(kind);
  }
  return kinds.size;
}
