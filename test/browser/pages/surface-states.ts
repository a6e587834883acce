import type { Page } from 'playwright-core';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { alertsOf, listOf, sendJson, storeAlerts } from '../alert-data.ts';
import type { PageState } from './page-states.ts';

/** Addresses of objects of the demo that the states open. */
export interface OpenedObjects {
  readonly alert: string;
  readonly caseWithRule: string;
  readonly view: string;
}

/**
 * Returns what opens above the pages: menus, popovers, dialogs, questions. Controls are found by their
 * icons, which are the same in both languages.
 */
export function surfaceStates(program: TestProgram, { alert, caseWithRule, view }: OpenedObjects): PageState[] {
  const list = '/alerts';
  const menu = (icon: string) => async (page: Page) => {
    await page.locator(`button:has(svg.lucide-${icon}):visible`).first().click();
    await page.getByRole('menu').waitFor();
  };
  const dialogBy =
    (icon: string, role: 'dialog' | 'alertdialog' = 'dialog') =>
    async (page: Page) => {
      await page.locator(`button:has(svg.lucide-${icon}):visible`).first().click();
      await page.getByRole(role).waitFor();
    };
  return [
    { name: 'account-menu', address: '/', steps: menu('circle-user') },
    { name: 'home-cards', address: '/', steps: dialogBy('layout-grid') },
    { name: 'alerts-columns', address: list, steps: menu('columns-3') },
    { name: 'alerts-export', address: list, steps: menu('download') },
    { name: 'alerts-time', address: list, steps: dialogBy('clock') },
    { name: 'alerts-filter', address: list, steps: dialogBy('plus') },
    { name: 'alerts-save-view', address: list, steps: dialogBy('save') },
    {
      name: 'alerts-add-column',
      address: list,
      steps: async (page) => {
        await menu('columns-3')(page);
        await page.getByRole('menuitem').first().click();
        await page.getByRole('dialog').getByRole('combobox').first().waitFor();
      },
    },
    { name: 'alert-more', address: alert, steps: menu('ellipsis') },
    {
      name: 'alert-value',
      address: `${alert}?tab=fields`,
      steps: async (page) => {
        await page.locator('[role=tabpanel] button[aria-haspopup=menu], [role=tabpanel] dd button').first().click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'cases-board',
      address: '/cases?layout=board',
      steps: (page) => page.getByRole('main').locator('li').first().waitFor(),
    },
    {
      name: 'case-backfill',
      address: `${caseWithRule}?tab=rules`,
      steps: async (page) => {
        await page.getByRole('main').locator('tbody td:last-child button').first().click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'view-delete', address: view, steps: dialogBy('trash-2', 'alertdialog') },
    { name: 'key-new', address: '/settings?tab=keys', steps: createBy('Control+Alt+n') },
    { name: 'user-new', address: '/administration/users', steps: createBy('Control+Alt+n') },
    { name: 'alert-conflict', address: list, steps: (page) => provokeConflict(program, page) },
  ];
}

function createBy(keys: string): (page: Page) => Promise<void> {
  return async (page) => {
    // The command comes with the list.
    await page.getByRole('main').locator('button:has(svg.lucide-plus)').waitFor();
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
  };
}

/** Assesses an alert that a colleague assessed meanwhile, in a page that did not hear of it. */
async function provokeConflict(program: TestProgram, page: Page): Promise<void> {
  await page.routeWebSocket(/socket/, (socket) => void socket.close());
  const [id = ''] = await storeAlerts(program, alertsOf('Conflict', 1));
  await page.goto(`${listOf('Conflict')}&sort=${encodeURIComponent('event.created desc')}`);
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('tablist').first().waitFor();
  const verdict = { transition: 'assess', data: { assessment: 'legitimate', rationale: 'Ours' } };
  await sendJson(program, `/api/v1/hit/${id}/transition`, verdict, { basic: 'user:devkey:user' });
  await page.keyboard.press('a');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('Typed by hand');
  await page.keyboard.press('Enter');
  // The question takes the place of the form.
  await page
    .getByRole('dialog')
    .filter({ hasNot: page.getByRole('textbox') })
    .getByRole('button')
    .nth(2)
    .waitFor();
}
