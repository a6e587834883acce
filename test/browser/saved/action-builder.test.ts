import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { choose, fillQuery, pick } from './choose.ts';

const ADMIN = 'admin:devkey:admin';
const PASSWORD = 'a long password of theirs';
const BUILT = 12;
const LABELLED = 3;

describe('the builder of actions', { skip }, () => {
  const fixture = programFixture();

  async function post(path: string, json: unknown) {
    const { status, text, json: answer } = await fixture.program.request(path, { method: 'POST', basic: ADMIN, json });
    assert.ok(status < 300, text);
    return answer.api_response;
  }
  const countOf = async (query: string): Promise<number> => (await post('/api/v1/search/count/hit', { query })).count;

  before(async () => {
    const alerts = (analytic: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        'howler.analytic': analytic,
        ...(analytic === 'Built' && index < LABELLED ? { 'howler.labels.generic': ['reviewed'] } : {}),
      }));
    await post('/api/v1/hit?refresh=true', [...alerts('Built', BUILT), ...alerts('Many', 25)]);
    assert.equal(await countOf('howler.analytic:Built AND howler.labels.generic:reviewed'), LABELLED);
    const { accounts } = fixture.program.foundation;
    await accounts.create('lin', { name: 'Lin', new_pass: PASSWORD, type: ['user'] });
    await accounts.create('ada', { name: 'Ada', new_pass: PASSWORD, type: ['user', 'actionrunner_basic'] });
  });

  const rowOf = (page: Page, table: string, name: string) =>
    page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: name });

  it('changes as many alerts as its dry run counted, and reports what it skipped', async () => {
    await using watched = await fixture.openSignedIn('/actions');
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'New action' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Review');
    await page.getByRole('button', { name: 'Dry run' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Dry run' }).isDisabled(), true);
    await fillQuery(page, 'Query', 'howler.analytic:Built');
    await pick(page, 'Add an operation', 'Add a label');
    await pick(page, 'Set of labels', 'generic');
    await choose(page, 'Label', 'reviewed');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText(`${BUILT} alerts match now.`).waitFor();
    const forecast = rowOf(page, 'Dry run', 'Add a label');
    const left = Number(await forecast.getByRole('cell').nth(1).textContent());
    assert.equal(left, BUILT - LABELLED);
    await forecast.getByText('would be skipped').waitFor();
    assert.equal(await countOf('howler.labels.generic:reviewed'), LABELLED, 'a dry run changes nothing');
    assert.deepEqual(await accessibilityProblems(page), []);

    // What was counted for other arguments says nothing any more.
    await choose(page, 'Label', 'seen');
    await forecast.waitFor({ state: 'detached' });
    await choose(page, 'Label', 'reviewed');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/id=(?!new)/);
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    await page.getByRole('button', { name: 'Run …' }).click();
    const question = page.getByRole('alertdialog', { name: `Run it on ${BUILT} alerts?` });
    await question.getByRole('button', { name: 'Run', exact: true }).click();
    const report = rowOf(page, 'Report', 'Add a label');
    await report.filter({ hasText: 'Done' }).waitFor();
    await report
      .filter({ hasText: 'Skipped' })
      .getByText(/already have the label/)
      .waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    const changed = (await countOf('howler.analytic:Built AND howler.labels.generic:reviewed')) - LABELLED;
    assert.equal(changed, left);
    await report.filter({ hasText: 'Skipped' }).getByRole('link', { name: 'Show these alerts' }).click();
    await page.locator(`[role=grid][aria-rowcount="${LABELLED + 1}"]`).waitFor();
    assertNoOffences(offences);
  });

  it('reports what failed and why, beside what was done (fr, light)', async () => {
    await using watched = await fixture.openSignedIn('/actions?id=new&query=howler.analytic:Built', {
      ...{ language: 'fr', theme: 'light' },
    });
    const { page, offences } = watched;
    await pick(page, 'Ajouter une opération', 'Classer dans un cas');
    await choose(page, 'Cas', 'no-such-case');
    await pick(page, 'Ajouter une opération', 'Ajouter une étiquette');
    await pick(page, 'Groupe d’étiquettes', 'generic');
    await choose(page, 'Étiquette', 'classée');
    await page.getByRole('button', { name: 'Lancer …' }).click();
    const question = page.getByRole('alertdialog', { name: `Lancer sur ${BUILT} alertes ?` });
    await question.getByRole('button', { name: 'Lancer', exact: true }).click();
    const failed = rowOf(page, 'Rapport', 'Classer dans un cas');
    await failed.getByText('Échec').waitFor();
    await failed.getByText(/no-such-case/).waitFor();
    await rowOf(page, 'Rapport', 'Ajouter une étiquette').getByText('Fait').waitFor();
    assert.equal(await countOf('howler.analytic:Built AND howler.labels.generic:"classée"'), BUILT);
    assertNoOffences(offences);
  });

  it('says which right is missing: for the page, for changes, for an operation, and for many alerts', async () => {
    await using without = await fixture.openSignedIn('/actions', { as: { user: 'lin', password: PASSWORD } });
    await without.page.getByText(/actionrunner_basic or automation_basic/).waitFor();
    assert.equal(await without.page.getByRole('button', { name: 'New action' }).count(), 0);
    assertNoOffences(without.offences);

    const made = await post('/api/v1/action/', {
      ...{ name: 'Advanced', query: 'howler.analytic:Many', triggers: [] },
      operations: [
        { operation_id: 'change_field', data_json: JSON.stringify({ field: 'organization.name', value: 'Maple' }) },
        { operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: 'many' }) },
      ],
    });
    await using runner = await fixture.openSignedIn('/actions', { as: { user: 'ada', password: PASSWORD } });
    const { page, offences } = runner;
    await page.getByText(/the type automation_basic/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'New action' }).count(), 0);
    await page.getByRole('link', { name: 'Advanced' }).click();
    await page
      .getByText(/It needs one of: .*actionrunner_advanced/)
      .first()
      .waitFor();
    await page.getByText(/the type automation_basic/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Dry run' }).click();
    const forecast = rowOf(page, 'Dry run', 'Change a field');
    await forecast.getByText(/It needs one of: .*actionrunner_advanced/).waitFor();
    assert.equal(await forecast.getByRole('cell').nth(1).textContent(), '0');
    const label = rowOf(page, 'Dry run', 'Add a label');
    await label.getByText(/at most 20 alerts/).waitFor();
    assert.equal(await label.getByRole('cell').nth(1).textContent(), '0');
    await page.getByRole('button', { name: 'Run …' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run', exact: true }).click();
    const report = (name: string) => rowOf(page, 'Report', name).filter({ hasText: 'Failed' });
    await report('Change a field')
      .getByText(/missing one of: .*actionrunner_advanced/)
      .waitFor();
    await report('Add a label')
      .getByText(/25 hits, but you can only process 20/)
      .waitFor();
    assert.equal(await countOf('howler.labels.generic:many OR organization.name:Maple'), 0);
    assert.ok(made.action_id);
    assertNoOffences(offences);
  });
});
