import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

/**
 * Runs axe-core with all rules of WCAG 2.2 AA and its best practices on the page as it stands.
 * @param within CSS selector of the part to check; default: the whole page
 * @returns one line for each element that breaks a rule
 */
export async function accessibilityProblems(page: Page, within?: string): Promise<string[]> {
  // Evaluated by the DevTools protocol, which the policy of the page does not reach.
  await page.evaluate(AXE_SOURCE);
  const { violations } = await page.evaluate(
    async ([tags, part]) => {
      const axe = Reflect.get(globalThis, 'axe') as { run(context: unknown, options: unknown): Promise<AxeResults> };
      return axe.run(part ?? document, {
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'],
        rules: { 'target-size': { enabled: true } },
      });
    },
    [TAGS, within] as const,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${JSON.stringify(node.target)}: ${node.failureSummary ?? ''}`),
  );
}
