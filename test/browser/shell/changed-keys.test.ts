import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { keys as english } from '../../../ui/src/i18n/en/keys.ts';
import type { CommandId } from '../../../ui/src/keys/key-map.ts';
import { alertsOf, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { pressKeys } from './press-keys.ts';

describe('keys that a person changes', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    await storeAlerts(fixture.program, alertsOf('Changed', 5, { 'source.ip': '203.0.113.7' }));
  });

  const openEditor = async (page: Page) => {
    await page.goto('/settings?tab=preferences');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
  };
  const rowOf = (page: Page, command: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: command, exact: true }) });
  const keysOf = (page: Page, command: string) => rowOf(page, command).locator('kbd').allTextContents();
  /** Waits until the server has these keys of a command; undefined: the usual ones. */
  const stored = (page: Page, id: CommandId, keys: string | undefined) =>
    until(`the keys of ${id} are stored`, async () => {
      const preferences = await page.evaluate(async () => (await fetch('/session/preferences')).json());
      return preferences.keys?.changed[id] === keys;
    });
  const record = async (page: Page, command: string, ...keys: readonly string[]) => {
    await page.getByRole('button', { name: `Change the key of ${command}`, exact: true }).press('Enter');
    for (const key of keys) await pressKeys(page, key);
  };
  const change = async (page: Page, command: CommandId, ...keys: readonly string[]) => {
    await record(page, english.commands[command], ...keys);
    await stored(page, command, keys[0] === 'Delete' ? '' : keys.join(' '));
  };
  const openList = async (page: Page) => {
    await page.goto('/alerts?q=howler.analytic:Changed');
    await page.locator('[role=grid][aria-rowcount="6"]').waitFor();
    await page.getByRole('row').nth(1).waitFor();
  };
  const isActive = (page: Page, index: number) =>
    page.locator(`[role=row][data-active][data-index="${index}"]`).waitFor();

  it('work in place of the usual ones, and leave the arrows', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page, offences } = watched;
    await change(page, 'next', 'w');
    assert.deepEqual(await keysOf(page, 'Next in the list'), ['w', '↓']);
    await openList(page);
    await page.keyboard.press('w');
    await isActive(page, 0);
    await page.keyboard.press('ArrowDown');
    await isActive(page, 1);
    await page.keyboard.press('j');
    await page.keyboard.press('w');
    await isActive(page, 2);

    await openEditor(page);
    await page.getByRole('button', { name: 'Reset the key of Next in the list' }).click();
    await stored(page, 'next', undefined);
    assert.deepEqual(await keysOf(page, 'Next in the list'), ['j', '↓']);
    assertNoOffences(offences);
  });

  it('may be two in a row, and belong to a command that had none', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page, offences } = watched;
    await change(page, 'goActions', 'g', 'x');
    assert.deepEqual(await keysOf(page, 'Go to Actions'), ['g', 'x']);
    await page.goto('/');
    await page.getByRole('link', { name: 'Actions' }).waitFor();
    await pressKeys(page, 'g x');
    await page.waitForURL(/\/actions/);
    assertNoOffences(offences);
  });

  it('are refused in words where another command has them, begins with them or continues from them', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page, offences } = watched;
    for (const [keys, owner] of [
      [['x'], 'Select the active entry'],
      [['g'], 'Go to Home'],
      [['a', 'b'], 'Assess'],
      [['Enter'], 'Open the active entry'],
    ] as const) {
      await record(page, 'Take', ...keys);
      await page
        .getByRole('alert')
        .filter({ hasText: `is used by “${owner}”` })
        .waitFor();
      assert.deepEqual(
        await keysOf(page, 'Take'),
        ['s', ...keys],
        'the refused keys are named beside the present ones',
      );
    }
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.goto('/');
    await page.getByRole('link', { name: 'Cases' }).waitFor();
    await pressKeys(page, 'g c');
    await page.waitForURL(/\/cases/);
    assertNoOffences(offences);
  });

  it('can be taken away, and are given up by Escape', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page } = watched;
    await change(page, 'demote', 'Delete');
    await rowOf(page, 'Demote').getByText('not set').waitFor();
    await record(page, 'Promote', 'Escape');
    assert.deepEqual(await keysOf(page, 'Promote'), ['p']);
    assert.match(page.url(), /tab=preferences/);
  });

  it('open the palette in fields and dialogs, and no other command there', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page, offences } = watched;
    await change(page, 'palette', 'Ctrl+m');
    await change(page, 'keyHelp', 'Ctrl+k');
    await page.goto('/views');
    await page.getByRole('main').getByRole('textbox').first().focus();
    await pressKeys(page, 'Ctrl+k');
    await pressKeys(page, 'Ctrl+m');
    await page.getByRole('dialog', { name: 'Commands and pages' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await pressKeys(page, 'Ctrl+k');
    await page.getByRole('dialog', { name: 'Keys of this page' }).waitFor();
    assertNoOffences(offences);
  });
});
