import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

describe('the leads of dossiers at an alert', { skip }, () => {
  const fixture = programFixture();

  it('are filled with its values, sanitized, and ask before they lead out', async () => {
    const lead = (name: string, content: string, format = 'markdown') => ({
      ...{ label: { en: name, fr: `${name} (fr)` }, format, content },
    });
    const words = '<img src="https://evil.example/x" onerror="alert(1)">';
    await sendJson(fixture.program, '/api/v1/dossier/?refresh=true', {
      ...{ title: 'Playbook', query: 'howler.analytic:Leads', type: 'global' },
      leads: [
        lead('Playbook', `Ask who owns **{{source.ip}}**. [wiki](https://wiki.example/play) ${words}`),
        lead('Plugin', '{"board": 7}', 'board'),
        ...Array.from({ length: 6 }, (_, index) => lead(`Further ${index}`, `Step ${index}`)),
      ],
    });
    await sendJson(fixture.program, '/api/v1/dossier/?refresh=true', {
      ...{ title: 'Others', query: 'howler.analytic:Unrelated', type: 'global' },
      leads: [lead('Elsewhere', 'Not for this alert.')],
    });
    const [id] = await storeAlerts(fixture.program, [
      {
        ...{ 'howler.analytic': 'Leads', 'source.ip': '203.0.113.9' },
        'howler.dossier': [lead('Own', 'https://own.example/a', 'link'), lead('Trap', 'javascript:alert(1)', 'link')],
      },
    ]);
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=related`);
    const { page, offences } = watched;
    const panel = page.getByRole('tabpanel', { name: 'Related' });
    await panel.locator('strong', { hasText: '203.0.113.9' }).waitFor();
    await panel.getByText('(own.example)').waitFor();
    await panel.getByText('{"board": 7}').waitFor();
    await panel.getByText('onerror="alert(1)"').waitFor();
    await panel.getByText('javascript:alert(1)').waitFor();
    assert.equal(await panel.locator('img, a[href^="javascript:"]').count(), 0);
    assert.equal(await panel.getByText('Step 5').count(), 0, 'many leads are drawn in parts');
    await panel.getByRole('button', { name: /^More/ }).click();
    await panel.getByText('Step 5').waitFor();
    assert.equal(await page.getByText('Elsewhere').count(), 0);
    await panel.getByRole('link', { name: 'wiki' }).click();
    const question = page.getByRole('alertdialog', { name: /wiki\.example/ });
    await question.getByText('https://wiki.example/play').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });
});
