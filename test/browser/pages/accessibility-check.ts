import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Elements that hand the focus on as soon as they have it, at both ends of a popup. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';
/** Surfaces that open above the page: a landmark around a menu, options or a hint helps no reader. */
const POPUPS = '[role="menu"], [role="listbox"], [role="presentation"], [data-base-ui-portal]';
/** Base UI hides the page from screen readers while such a list is open; Tab and Escape close it. */
const OPEN_LIST = 'input[role="combobox"][aria-expanded="true"]';
const RULES_BEHIND_OPEN_LIST = ['aria-hidden-focus', 'page-has-heading-one'];

interface Problem {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/**
 * Runs axe-core with all rules of WCAG 2.2 AA and its best practices on the page as it stands.
 * @param within CSS selector of the part to check; default: the whole page
 * @param rules only these
 * @returns one line for each element that breaks a rule
 */
export async function accessibilityProblems(page: Page, within?: string, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the DevTools protocol, which the policy of the page does not reach.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE_SOURCE);
  await untilFaded(page);
  const isListOpen = (await page.locator(OPEN_LIST).count()) > 0;
  const problems = await page.evaluate(
    async ({ tags, part, only, guards, popups }) => {
      const axe = Reflect.get(globalThis, 'axe') as {
        run(context: unknown, options: unknown): Promise<{ readonly violations: readonly Problem[] }>;
      };
      const { violations } = await axe.run(
        { include: part ?? document, exclude: guards },
        {
          runOnly: only === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: only },
          resultTypes: ['violations'],
          ...(only === undefined ? { rules: { 'target-size': { enabled: true } } } : {}),
        },
      );
      const isInPopup = (target: unknown) => document.querySelector(String(target))?.closest(popups) !== null;
      return violations.map((violation) => ({
        ...violation,
        nodes: violation.nodes.filter(({ target }) => violation.id !== 'region' || !isInPopup(target[0])),
      }));
    },
    { tags: TAGS, part: within, only: rules, guards: FOCUS_GUARDS, popups: POPUPS },
  );
  return problems
    .filter(({ id }) => !isListOpen || !RULES_BEHIND_OPEN_LIST.includes(id))
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id} (${help}) at ${JSON.stringify(node.target)}: ${node.failureSummary ?? ''}`),
    );
}

/** Waits until nothing appears or vanishes any more: halfway, words have the colour of the ground. */
export async function untilFaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[data-starting-style], [data-ending-style]') === null);
  await page.evaluate(async () => {
    // Those without an end, of what is under way, are not waited for.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Rules whose outcome a theme changes: themes differ by their colours alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Shows the page as it stands in the other theme, and returns what breaks a rule about colours there. */
export async function otherThemeProblems(page: Page): Promise<string[]> {
  const change = () =>
    page.evaluate(() => {
      const { dataset } = document.documentElement;
      dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark';
    });
  await change();
  const problems = await accessibilityProblems(page, undefined, COLOUR_RULES);
  await change();
  return problems.map((problem) => `other theme: ${problem}`);
}
