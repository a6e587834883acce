import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createPlugin } from '../../../sdk/plugin/src/index.js';
import { type StartedPlugin, startPlugin } from '../../../sdk/plugin/src/testing.js';
import { alertsOf, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const HOSTILE = '<img src="https://evil.example/x" onerror="alert(1)">';
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('an overview', { skip }, () => {
  let vendor: StartedPlugin;
  /** Values that the source outside of the installation was asked for. */
  const asked: string[] = [];
  const fixture = programFixture(async () => {
    const plugin = createPlugin({
      name: 'vendor',
      classification: 'UNRESTRICTED',
      types: ['domain'],
      lookup: () => undefined,
      fetchers: [
        {
          ...{ id: 'page', description: 'A page', format: 'markdown' },
          run: ({ value }) => {
            asked.push(value);
            return { outcome: 'success', format: 'markdown', data: `**Page of ${value}** ${HOSTILE}` };
          },
        },
        {
          ...{ id: 'shot', description: 'A picture', format: 'image' },
          run: () => ({ outcome: 'success', format: 'image', data: { image: PIXEL, alt: 'The page' } }),
        },
        {
          ...{ id: 'none', description: 'Nothing', format: 'json' },
          run: () => ({ outcome: 'failure', error: `None. ${HOSTILE}` }),
        },
      ],
    });
    vendor = await startPlugin(plugin);
    return { settings: { 'enrichment.external_sources': [{ name: 'vendor', url: vendor.url }] } };
  });
  after(() => vendor.close());

  async function openOverview(analytic: string, content: string, fields: object = {}) {
    await sendJson(fixture.program, '/api/v1/overview/', { analytic, content });
    const [id = ''] = await storeAlerts(fixture.program, alertsOf(analytic, 1, fields));
    const watched = await fixture.openSignedIn(`/alerts/${id}`);
    return { id, watched, panel: watched.page.getByRole('tabpanel', { name: 'Overview' }) };
  }

  it('draws a card of another alert, which leads to it', async () => {
    const [other = ''] = await storeAlerts(fixture.program, [
      { 'howler.analytic': 'Other', 'howler.detection': HOSTILE, 'howler.outline.summary': HOSTILE },
    ]);
    const content = `Before: {{howler "${other}"}} and {{howler "no-such-alert"}}`;
    const { watched, panel } = await openOverview('Card', content);
    await using opened = watched;
    const { page, offences } = opened;
    await panel.getByText('This alert was not found').waitFor();
    const card = panel.getByRole('link', { name: /^Other · / });
    await card.waitFor();
    assert.equal(await panel.locator('img').count(), 0);
    assert.deepEqual(await accessibilityProblems(page), []);
    await card.click();
    await page.waitForURL(`**/alerts/${other}`);
    await page.getByRole('heading', { level: 1, name: /^Other/ }).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('runs an action on the alert, after a question that names the action itself', async () => {
    const { action_id: action } = await sendJson(fixture.program, '/api/v1/action/', {
      ...{ name: 'Mark as reviewed', query: 'howler.analytic:Button', triggers: [] },
      operations: [{ operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: 'seen' }) }],
    });
    const content = `{{action "${action}" howler.id label="Show details"}} {{action "no-such-action" howler.id}}`;
    const { id, watched, panel } = await openOverview('Button', content);
    await using opened = watched;
    const { page, offences } = opened;
    await panel.getByText('This action was not found:').waitFor();
    await panel.getByRole('button', { name: 'Run: Show details' }).click();
    const question = page.getByRole('alertdialog', { name: 'Run the action “Mark as reviewed” on the alert?' });
    await question.getByRole('listitem').filter({ hasText: 'Add a label' }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual((await storedAlert(fixture.program, id)).labels?.generic ?? [], []);
    await panel.getByRole('button', { name: 'Run: Show details' }).click();
    await question.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Action “Mark as reviewed” ran on 1 alert.').first().waitFor();
    assert.deepEqual((await storedAlert(fixture.program, id)).labels.generic, ['seen']);
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.deepEqual((await storedAlert(fixture.program, id)).labels?.generic ?? [], []);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('says where an action does not match the alert', async () => {
    const { action_id: action } = await sendJson(fixture.program, '/api/v1/action/', {
      ...{ name: 'For others', query: 'howler.analytic:Elsewhere', triggers: [] },
      operations: [{ operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: 'seen' }) }],
    });
    const { id, watched, panel } = await openOverview('Unmatched', `{{action "${action}" howler.id}}`);
    await using opened = watched;
    const { page, offences } = opened;
    await panel.getByRole('button', { name: 'Run: For others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').getByText('The query of the action does not match the alert.').waitFor();
    assert.deepEqual((await storedAlert(fixture.program, id)).labels?.generic ?? [], []);
    assertNoOffences(offences);
  });

  it('asks a source outside of the installation only after a question, and draws what it finds', async () => {
    const fetcher = (name: string) => `{{fetcher type="domain" value=url.domain fetcherId="${name}"}}`;
    const content = ['vendor.page', 'vendor.shot', 'vendor.none', 'nowhere.page'].map(fetcher).join('\n\n');
    const { watched, panel } = await openOverview('Fetched', content, { 'url.domain': 'quiet-harbour.net' });
    await using opened = watched;
    const { page, offences } = opened;
    await panel.getByText('The source of this fetcher was not found:').waitFor();
    const ask = panel.getByRole('button', { name: 'Ask vendor' });
    await ask.nth(2).waitFor();
    assert.deepEqual(asked, []);
    for (let left = 3; left > 0; left -= 1) {
      await ask.first().click();
      const question = page.getByRole('alertdialog', { name: 'Ask vendor?' });
      await question.getByText('quiet-harbour.net').waitFor();
      await question.getByRole('button', { name: 'Ask vendor' }).click();
      await question.waitFor({ state: 'detached' });
    }
    await panel.locator('strong', { hasText: 'Page of quiet-harbour.net' }).waitFor();
    await panel.getByRole('img', { name: 'The page' }).waitFor();
    await panel.getByText('vendor found nothing:').waitFor();
    assert.equal(await panel.locator('img[src^="https:"]').count(), 0);
    assert.deepEqual(asked, ['quiet-harbour.net']);
    assert.deepEqual(await accessibilityProblems(page), []);
    assertNoOffences(offences);
  });

  it('of many cards reads the first, and the others when they are asked for', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Crowd', 25));
    const content = ids.map((id) => `{{howler "${id}"}}`).join('\n\n');
    const { watched, panel } = await openOverview('Crowded', content);
    await using opened = watched;
    const { offences } = opened;
    await panel.getByRole('link', { name: 'Crowd' }).nth(19).waitFor();
    const more = panel.getByRole('button', { name: 'Show', exact: true });
    assert.equal(await more.count(), 5);
    await more.first().click();
    await panel.getByRole('link', { name: 'Crowd' }).nth(20).waitFor();
    assertNoOffences(offences);
  });
});
