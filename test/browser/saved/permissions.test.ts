import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../../../ui/src/i18n/en/index.ts';
import { storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { choose, pick } from './choose.ts';

const PASSWORD = 'a long password of theirs';
const QUERY = 'howler.analytic:Shared';
const words = en.saved.permissions;

/** A kind of object with an owner; its page is the one of the same name in the plural. */
interface OwnedKind {
  readonly kind: 'view' | 'dossier' | 'action';
  readonly made: object;
  readonly nameField: string;
  /** The name as stored. */
  readonly nameMember: 'title' | 'name';
  /** The sentence for a person without a privilege. */
  readonly refusal: RegExp;
}

const KINDS: readonly OwnedKind[] = [
  {
    ...{ kind: 'view', nameField: en.views.name, nameMember: 'title' },
    made: { title: 'Shared', query: QUERY, type: 'global' },
    refusal: /Only its owner, users with permission and administrators change this/,
  },
  {
    ...{ kind: 'dossier', nameField: en.dossiers.name, nameMember: 'title' },
    made: { title: 'Shared', query: QUERY, type: 'global' },
    refusal: /Only its owner, users with permission and administrators change this/,
  },
  {
    ...{ kind: 'action', nameField: en.common.name, nameMember: 'name' },
    made: { name: 'Shared', query: QUERY, operations: [{ operation_id: 'promote', data_json: '{}' }] },
    refusal: /users with permission and administrators change this action/,
  },
];

/** Sends a request with the session of a page. Returns the status and the data. */
function send(page: Page, method: string, path: string, json?: unknown) {
  return page.evaluate(
    async ([verb, address, body]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`/services/alerts${address}`, { method: verb, headers, ...(body ? { body } : {}) });
      const { api_response: data } = await answer.json();
      return { status: answer.status, data };
    },
    [method, path, json === undefined ? '' : JSON.stringify(json)] as const,
  );
}

/** Grants a privilege to a user, who is found by name. */
async function grant(page: Page, name: string, privilege: string): Promise<void> {
  await choose(page, words.user, name);
  if (await page.getByRole('combobox', { name: words.privilege }).getByText(privilege).isHidden()) {
    await pick(page, words.privilege, privilege);
  }
  await page.getByRole('button', { name: words.grant, exact: true }).click();
}

const rowOf = (page: Page, user: string) => page.getByRole('table').last().getByRole('row').filter({ hasText: user });

describe('privileges on saved objects', { skip }, () => {
  const fixture = programFixture();
  let owner: WatchedContext;
  let other: WatchedContext;

  before(async () => {
    await storeAlerts(fixture.program, [{ 'howler.analytic': 'Shared' }]);
    const { accounts } = fixture.program.foundation;
    for (const [username, name] of [
      ['olga', 'Olga'],
      ['piet', 'Piet'],
    ] as const) {
      await accounts.create(username, { name, new_pass: PASSWORD, type: ['user', 'automation_basic'] });
    }
    owner = await fixture.openSignedIn('/settings', { as: { user: 'olga', password: PASSWORD } });
    other = await fixture.openSignedIn('/settings', { as: { user: 'piet', password: PASSWORD }, theme: 'light' });
  });

  for (const { kind, made, nameField, nameMember, refusal } of KINDS) {
    const save = (page: Page) => page.getByRole('button', { name: en.common.save, exact: true });

    it(`let another person change a ${kind} once granted, no longer once revoked, and all once handed on`, async () => {
      const { data } = await send(owner.page, 'POST', `/api/v1/${kind}/`, made);
      const id = String(data[`${kind}_id`]);
      const address = `/${kind}s?id=${id}`;
      const path = `/api/v1/${kind}/${id}`;
      const change = (page: Page, name: string) => send(page, 'PUT', path, { [nameMember]: name });
      const name = async () => (await send(owner.page, 'GET', path)).data[nameMember];

      await other.page.goto(address);
      await other.page.getByText(refusal).waitFor();
      assert.equal(await save(other.page).count(), 0);
      assert.equal(await other.page.getByRole('button', { name: words.grant, exact: true }).count(), 0);
      assert.equal((await change(other.page, 'Taken')).status, 403);
      assert.equal(
        (await send(other.page, 'PUT', `${path}/permission`, [{ privilege: 'admins', user_id: 'piet' }])).status,
        403,
      );

      await owner.page.goto(address);
      await grant(owner.page, 'Piet', words.admins);
      await rowOf(owner.page, 'piet').getByText(words.admins).waitFor();
      assert.deepEqual(await accessibilityProblems(owner.page), []);
      await other.page.reload();
      await other.page.getByRole('textbox', { name: nameField, exact: true }).fill('By the other person');
      await save(other.page).click();
      await other.page
        .getByText(/By the other person.* saved/)
        .first()
        .waitFor();
      assert.equal(await name(), 'By the other person');
      // Those who may change it may grant that further, but not own, hand on or delete it.
      const offered = other.page.getByRole('combobox', { name: words.privilege });
      await offered.click();
      assert.equal(await other.page.getByRole('option', { name: words.owner, exact: true }).count(), 0);
      await other.page.keyboard.press('Escape');
      assert.equal(await other.page.getByRole('button', { name: en.common.delete, exact: true }).count(), 0);
      assert.equal((await send(other.page, 'DELETE', path)).status, 403);

      await rowOf(owner.page, 'piet')
        .getByRole('button', { name: words.revoke.replace('{{user}}', 'piet') })
        .click();
      await rowOf(owner.page, 'piet').waitFor({ state: 'detached' });
      // The focus stays where the pressed button was.
      await owner.page.waitForFunction(
        (title) => document.activeElement?.getAttribute('aria-label') === title,
        words.title,
      );
      assert.equal((await change(other.page, 'Taken')).status, 403);
      await other.page.reload();
      await other.page.getByText(refusal).waitFor();
      assert.equal(await save(other.page).count(), 0);
      assert.equal(await name(), 'By the other person');

      await grant(owner.page, 'Piet', words.owner);
      const question = owner.page.getByRole('alertdialog', { name: words.handOnTitle.replace('{{user}}', 'piet') });
      await question.getByRole('button', { name: en.common.cancel }).click();
      assert.equal((await change(owner.page, 'Still mine')).status, 200);
      await owner.page.getByRole('button', { name: words.grant, exact: true }).click();
      await question.getByRole('button', { name: words.handOn, exact: true }).click();
      await owner.page.getByText(refusal).waitFor();
      assert.equal(await save(owner.page).count(), 0);
      assert.equal((await change(owner.page, 'Mine again')).status, 403);
      await other.page.reload();
      await other.page.getByRole('button', { name: en.common.delete, exact: true }).waitFor();
      assert.equal((await change(other.page, 'Mine now')).status, 200);
      assertNoOffences(owner.offences, REFUSED_REQUESTS);
      assertNoOffences(other.offences, REFUSED_REQUESTS);
    });
  }

  for (const kind of ['view', 'dossier'] as const) {
    it(`show a personal ${kind} to a member, and to others no longer`, async () => {
      const made = { title: `Personal ${kind}`, query: QUERY, type: 'personal' };
      const { data } = await send(owner.page, 'POST', `/api/v1/${kind}/`, made);
      const id = String(data[`${kind}_id`]);
      const isListed = async () => {
        const { data: listed } = await send(other.page, 'GET', `/api/v1/${kind}/`);
        return listed.some((one: Record<string, unknown>) => one[`${kind}_id`] === id);
      };
      assert.equal(await isListed(), false);
      await owner.page.goto(`/${kind}s?id=${id}`);
      await grant(owner.page, 'Piet', words.members);
      await rowOf(owner.page, 'piet').getByText(words.members).waitFor();
      // Dossiers of others are listed where they are global; members reach theirs by its address alone.
      const isReadable = async () => (await send(other.page, 'GET', `/api/v1/${kind}/${id}`)).status;
      assert.equal(await isReadable(), 200);
      if (kind === 'view') {
        await other.page.goto('/views');
        await other.page.getByRole('link', { name: made.title, exact: true }).waitFor();
      }
      await rowOf(owner.page, 'piet').getByRole('button').click();
      await rowOf(owner.page, 'piet').waitFor({ state: 'detached' });
      assert.equal(await isReadable(), 404);
      assert.equal(await isListed(), false);
    });
  }
});
