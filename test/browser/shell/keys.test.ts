import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { bindingOf, COMMAND_IDS, type CommandId, DEFAULT_KEYS, keysOf } from '../../../ui/src/keys/key-map.ts';
import { alertsOf, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { pressKeys } from './press-keys.ts';

const COUNT = 40;
/** Assessments in the order in which an analytic of the demo kind has them. */
const NUMBERED = /^assess(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth)$/;

describe('every key of the key map', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    await storeAlerts(fixture.program, alertsOf('Keys', COUNT, { 'source.ip': '203.0.113.7' }));
  });

  const active = (page: Page, index: number) =>
    page.locator(`[role=row][data-active][data-index="${index}"]`).waitFor();
  const path = (page: Page, expected: RegExp) => page.waitForURL(expected);
  const dialog = (page: Page, name: RegExp) => page.getByRole('dialog', { name }).waitFor();
  const selected = (page: Page, count: number) => page.getByText(`${count} selected`).waitFor();
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, selected: true }).waitFor();
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

  /** Waits for the effect of each key on the list of alerts, whose second row is the active one. */
  const EFFECTS: Readonly<Partial<Record<CommandId, (page: Page) => Promise<unknown>>>> = {
    goHome: (page) => path(page, /\/$/),
    goAlerts: (page) => path(page, /\/alerts$/),
    goCases: (page) => path(page, /\/cases/),
    goViews: (page) => path(page, /\/views/),
    goAnalytics: (page) => path(page, /\/analytics/),
    goFiles: (page) => path(page, /\/files/),
    goLookUp: (page) => path(page, /\/enrichment/),
    goSettings: (page) => path(page, /\/settings/),
    palette: (page) => page.getByRole('dialog').getByRole('combobox').waitFor(),
    keyHelp: (page) => page.getByRole('dialog').waitFor(),
    query: (page) => page.locator('.cm-focused').waitFor(),
    next: (page) => active(page, 2),
    previous: (page) => active(page, 0),
    extendDown: (page) => selected(page, 2),
    extendUp: (page) => selected(page, 2),
    first: (page) => active(page, 0),
    last: (page) => active(page, COUNT - 1),
    pageDown: (page) => page.locator('[role=row][data-active]:not([data-index="1"])').waitFor(),
    pageUp: (page) => active(page, 0),
    select: (page) => selected(page, 1),
    selectAll: (page) => selected(page, COUNT),
    open: (page) => tab(page, 'Overview'),
    peek: (page) => tab(page, 'Overview'),
    showNew: (page) => page.locator('[role=row][data-active]').waitFor({ state: 'detached' }),
    assess: (page) => dialog(page, /^Assess /),
    take: (page) => says(page, 'The alert is yours.'),
    assign: (page) => dialog(page, /^Assign /),
    promote: (page) => says(page, 'Promoted.'),
    demote: (page) => says(page, 'Demoted.'),
    label: (page) => dialog(page, /^Label/),
    comment: (page) => dialog(page, /^Comment/),
    fileIntoCase: (page) => dialog(page, /^File /),
    runAction: (page) => dialog(page, /^Run an action/),
    advance: (page) => dialog(page, /^Assess /),
    undo: (page) => says(page, /There is nothing to undo|Undone/),
  };
  /** Keys of other places: page-keys.test.ts and single-keys.test.ts press them. */
  const ELSEWHERE: readonly CommandId[] = ['create', 'lookUp'];
  const OPENED: readonly CommandId[] = ['close', 'previousTab', 'nextTab'];

  const firstKeyOf = (id: CommandId) => keysOf(id, DEFAULT_KEYS)[0] ?? '';

  async function openList(page: Page): Promise<void> {
    await page.goto('/alerts?q=howler.analytic:Keys');
    await page.locator(`[role=grid][aria-rowcount="${COUNT + 1}"]`).waitFor();
    await page.getByRole('row', { name: /Alert 1\b/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await active(page, 1);
  }

  it('does on the list of alerts what the list of keys says', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    for (const id of COMMAND_IDS) {
      if (bindingOf(id).scope === 'element' || keysOf(id, DEFAULT_KEYS).length === 0) continue;
      const effect = NUMBERED.test(id) ? (at: Page) => dialog(at, /^Assess /) : EFFECTS[id];
      if (effect === undefined) {
        assert.ok(ELSEWHERE.includes(id) || OPENED.includes(id), `${id} has no test`);
        continue;
      }
      for (const keys of keysOf(id, DEFAULT_KEYS)) {
        await openList(page);
        // The analytic says which assessment a number means.
        if (NUMBERED.test(id)) await page.waitForLoadState('networkidle');
        await pressKeys(page, keys);
        await effect(page).catch((error: unknown) => assert.fail(`${id} (${keys}): ${error}`));
      }
    }
    assertNoOffences(offences);
  });

  it('does beside an open alert what the list of keys says', async () => {
    await using watched = await fixture.openSignedIn('/alerts', { theme: 'light' });
    const { page, offences } = watched;
    await openList(page);
    await page.keyboard.press('Space');
    await tab(page, 'Overview');
    await pressKeys(page, firstKeyOf('nextTab'));
    await tab(page, 'Fields');
    await pressKeys(page, firstKeyOf('previousTab'));
    await tab(page, 'Overview');
    await pressKeys(page, firstKeyOf('close'));
    await page.getByRole('tab').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await tab(page, 'Overview');
    await page.keyboard.press('Space');
    await page.getByRole('tab').first().waitFor({ state: 'detached' });
    await until('no parameter is left', () => Promise.resolve(!page.url().includes('id=')));
    assertNoOffences(offences);
  });
});
