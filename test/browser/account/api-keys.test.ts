import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../../src/testing/until.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const run = promisify(execFile);

describe('API keys', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    for (const name of ['anna', 'bert', 'cleo']) {
      await fixture.program.foundation.accounts.create(name, { name, new_pass: `password of ${name}`, type: ['user'] });
    }
  });

  /** Runs a command of a shell, as people paste it. Returns the status and the answer of the server. */
  async function pasted(command: string) {
    const { stdout } = await run('sh', ['-c', `${command} --silent --write-out '\\n%{http_code}'`]);
    const [text = '', status = ''] = stdout.split(/\n(?=\d{3}$)/);
    return { status: Number(status), answer: JSON.parse(text).api_response };
  }

  for (const [theme, language, user, words] of [
    ['dark', 'en', 'anna', { make: 'New API key', name: 'Name', create: 'Create', revoke: 'Revoke', not: 'Not yet' }],
    [
      'light',
      'fr',
      'bert',
      { make: 'Nouvelle clé d’API', name: 'Nom', create: 'Créer', revoke: 'Révoquer', not: 'Pas encore' },
    ],
  ] as const) {
    it(`are made, used by curl, seen to be used, revoked and refused (${theme}, ${language})`, async () => {
      await using watched = await fixture.openSignedIn('/settings?tab=keys', {
        theme,
        language,
        as: { user, password: `password of ${user}` },
      });
      const { page, offences } = watched;
      await page.getByRole('button', { name: words.make }).first().click();
      const form = page.getByRole('dialog', { name: words.make });
      await form.getByLabel(words.name, { exact: true }).fill('reports');
      assert.deepEqual(await accessibilityProblems(page), []);
      await form.getByRole('button', { name: words.create }).click();
      await page.getByText(/^curl -u/).waitFor();
      const copy = page.getByRole('button', { name: /^Cop/ });
      for (const button of await copy.all()) {
        assert.equal(
          await button.evaluate((element) => getComputedStyle(element).opacity),
          '1',
          'seen without a pointer',
        );
      }
      assert.equal(await copy.count(), 2);
      const curl = (await page.getByText(/^curl -u/).textContent()) ?? '';
      assert.ok(curl.includes(`'${user}:reports:`) && curl.includes(fixture.program.url), curl);
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.keyboard.press('Escape');
      const row = page.getByRole('row').filter({ hasText: 'reports' });
      await row.getByText(words.not).waitFor();
      assert.ok(!(await page.content()).includes(curl.split(':')[2]?.split("'")[0] ?? ''), 'shown once');

      const used = await pasted(curl);
      assert.deepEqual([used.status, used.answer.username], [200, user]);
      await until('the use is stored', async () => {
        const stored = await fixture.program.foundation.users.get(user);
        return stored?.key_details?.reports?.last_used !== undefined;
      });
      await page.reload();
      await row.getByText(words.not).waitFor({ state: 'detached' });
      await row.locator('time').first().waitFor();
      const written = await pasted(
        curl
          .replace('/api/v1/user/whoami', '/api/v1/hit/')
          .replace('curl', `curl -H 'content-type: application/json' -d '[{}]'`),
      );
      assert.equal(written.status, 403, 'the key may only read');

      await row.getByRole('button', { name: words.revoke }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: words.revoke }).click();
      await row.waitFor({ state: 'detached' });
      assert.equal((await pasted(curl)).status, 401);
      assertNoOffences(offences);
    });
  }

  it('have no privilege above that of the session, in the form and at the server', async () => {
    const options = { method: 'POST', basic: 'cleo:password of cleo', json: { name: 'writer', priv: ['R', 'W'] } };
    const { json } = await fixture.program.request('/api/v1/auth/apikey', options);
    await using watched = await fixture.openSignedIn('/settings?tab=keys', {
      as: { user: 'cleo', password: 'password of cleo' },
    });
    const { page } = watched;
    const extended = page.getByRole('checkbox', { name: 'Extended (administration)' });
    await page.getByRole('button', { name: 'New API key' }).click();
    await extended.waitFor();
    const opened = await page.evaluate(async (apikey) => {
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: answer.status, text: await answer.text() };
      };
      const session = await post('/session', { method: 'apikey', user: 'cleo', apikey });
      return [session, await post('/services/alerts/api/v1/auth/apikey', { name: 'above', priv: ['E'] })];
    }, json.api_response.apikey);
    assert.deepEqual(
      opened.map(({ status }) => status),
      [200, 403],
      JSON.stringify(opened),
    );
    await page.reload();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('checkbox', { name: 'Write' }).waitFor();
    assert.equal(await extended.count(), 0);
  });

  it('let another user act as their owner, with the command that is shown, until they expire', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=keys', {
      as: { user: 'anna', password: 'password of anna' },
    });
    const { page, offences } = watched;
    const form = page.getByRole('dialog', { name: 'New API key' });
    const fill = async (name: string) => {
      await page.getByRole('button', { name: 'New API key' }).first().click();
      await form.getByLabel('Name', { exact: true }).fill(name);
    };
    await fill('deputy');
    await form.getByRole('checkbox', { name: 'Impersonation by others' }).check();
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Name at least one user: no other user may use the key.').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await form.getByLabel('Users who may impersonate you with it').fill('bert, cleo');
    await form.getByLabel('Expires').fill('2099-12-31');
    await form.getByRole('button', { name: 'Create' }).click();
    const command = (await page.getByText(/^curl -u/).textContent()) ?? '';
    assert.match(command, /^curl -u 'bert' -H 'X-Impersonating: Basic /);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: 'deputy' });
    await row.getByText('2099-12-31').waitFor();
    await row.getByText('Read, Impersonation by others').waitFor();

    /** Runs the command with the password that curl would ask for. */
    const as = (user: string) => pasted(command.replace("'bert'", `'${user}:password of ${user}'`));
    const used = await as('bert');
    assert.deepEqual([used.status, used.answer.username], [200, 'anna']);
    await fixture.program.foundation.accounts.create('dora', { name: 'dora', new_pass: 'password of dora' });
    assert.equal((await as('dora')).status, 403, 'dora is none of its agents');
    const { users } = fixture.program.foundation;
    const ended = new Date(Date.now() - 1000).toISOString();
    await users.update('anna', [{ op: 'set', path: 'apikeys.impersonate_deputy.expiry_date', value: ended }]);
    assert.equal((await as('bert')).status, 401, 'the key has expired');

    await fill('yesterday');
    await form.getByLabel('Expires').fill('2020-01-01');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('This day is over: the key could not be used.').waitFor();
    assert.equal((await users.get('anna'))?.apikeys?.yesterday, undefined);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('do not count as unused while their last use cannot be read', async () => {
    const as = { user: 'cleo', password: 'password of cleo' };
    await using watched = await fixture.openSignedIn('/', { as });
    const { page, offences } = watched;
    const made = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'unread', priv: ['R'] });
      return (await fetch('/services/alerts/api/v1/auth/apikey', { method: 'POST', headers, body })).status;
    });
    assert.equal(made, 200);
    const uses = '**/api/v4/apikey/username/**';
    const answer = { api_response: '', api_error_message: 'No uses today.', api_status_code: 403 };
    await page.route(uses, (route) => route.fulfill({ status: 403, json: answer }));
    await page.goto('/settings?tab=keys');
    const row = page.getByRole('row').filter({ hasText: 'unread' });
    await row.getByText('Unknown', { exact: true }).waitFor();
    await page.getByText('No uses today.').waitFor();
    assert.equal(await row.getByText('Not yet').count(), 0);
    await page.unroute(uses);
    await page.getByRole('alert').getByRole('button').first().click();
    await row.getByText('Not yet').waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
