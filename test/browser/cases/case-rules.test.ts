import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { sendJson } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { storeCase, storedCase } from './case-data.ts';

const COLLEAGUE = 'user:devkey:user';

describe('the rules of a case', { skip }, () => {
  const fixture = programFixture();

  it('are changed', async () => {
    const id = await storeCase(fixture.program);
    await sendJson(fixture.program, `/api/v2/case/${id}/rules`, {
      query: 'message:a',
      destination: 'found/a',
      timeframe: 3,
    });
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=rules`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Change message:a' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the rule' });
    assert.equal(await dialog.getByRole('textbox', { name: 'Days' }).inputValue(), '3');
    assert.equal(await dialog.getByRole('checkbox', { name: 'Events' }).count(), 0);
    await dialog.getByRole('textbox', { name: 'Query' }).fill('message:b');
    await dialog.getByRole('textbox', { name: 'Days' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change message:b' }).waitFor();
    const [rule] = (await storedCase(fixture.program, id)).rules;
    assert.deepEqual([rule.query, rule.destination, rule.timeframe], ['message:b', 'found/a', undefined]);
    assertNoOffences(offences);
  });

  it('are shown in both versions where another person changed one meanwhile', async () => {
    const id = await storeCase(fixture.program);
    const { rules } = await sendJson(fixture.program, `/api/v2/case/${id}/rules`, {
      query: 'message:a',
      destination: 'found/a',
    });
    const byColleague = (change: object) =>
      sendJson(fixture.program, `/api/v2/case/${id}/rules/${rules[0].rule_id}`, change, {
        method: 'PUT',
        basic: COLLEAGUE,
      });
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=rules`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Change message:a' }).click();
    const form = page.getByRole('dialog', { name: 'Change the rule' });
    await form.getByRole('textbox', { name: 'Query' }).fill('message:mine');
    await byColleague({ query: 'message:theirs', timeframe: 9 });
    await form.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: /changed this case meanwhile/ });
    await question.getByText('message:theirs').waitFor();
    await question.getByText('message:mine').waitFor();
    assert.equal(await question.getByRole('heading', { level: 3 }).count(), 1, 'only what both changed');
    await question.getByRole('button', { name: 'Keep theirs' }).click();
    await question.waitFor({ state: 'detached' });
    await form.getByText('This was not saved: another person changed it meanwhile.').waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Query' }).inputValue(), 'message:mine');
    assert.equal((await storedCase(fixture.program, id)).rules[0].query, 'message:theirs');
    await form.getByRole('button', { name: 'Save' }).click();
    await question.getByRole('button', { name: 'Write mine' }).click();
    await form.waitFor({ state: 'detached' });
    const [written] = (await storedCase(fixture.program, id)).rules;
    assert.deepEqual([written.query, written.timeframe], ['message:mine', 9], 'what only they changed stays');

    const versions: (string | undefined)[] = [];
    await page.route(`**/api/v2/case/${id}/rules/*`, async (route) => {
      versions.push(route.request().headers()['if-match']);
      // Another change of the case, between reading and writing: the switch still means the same.
      if (versions.length === 1) await byColleague({ destination: 'found/theirs' });
      await route.continue();
    });
    await page.getByRole('switch', { name: 'On: message:mine' }).click();
    await until('the rule is off', async () => (await storedCase(fixture.program, id)).rules[0].enabled === false);
    assert.equal((await storedCase(fixture.program, id)).rules[0].destination, 'found/theirs');
    assert.equal(new Set(versions).size, 2, 'the refused version, and the one after it');
    assert.ok(!versions.includes(undefined));
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
