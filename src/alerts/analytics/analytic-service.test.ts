import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../testing/alerts/alert-services.ts';
import { readInput } from '../../testing/read-input.ts';
import { CommentBody } from './analytic-routes.ts';
import { AnalyticService } from './analytic-service.ts';

const ana = anActor();
const ben = anActor({ username: 'ben' });

describe('analytics', () => {
  let services: AlertServices;
  let analytics: AnalyticService;
  let id: string;

  beforeEach(async () => {
    services = await openAlertServices();
    analytics = new AnalyticService({
      analytics: services.analyticCollection,
      users: { get: async (name) => (['ana', 'ben'].includes(name) ? ({} as never) : undefined) },
    });
    await services.aHit(ana, { 'howler.analytic': 'Phish Lens', 'howler.detection': 'Lookalike' });
    id = (await analytics.list())[0]?.id ?? '';
  });
  afterEach(() => services.close());

  it('come into being with the first alert', async () => {
    const { document: analytic } = await analytics.get(id);
    assert.deepEqual([analytic.name, analytic.owner, analytic.detections], ['Phish Lens', 'ana', ['Lookalike']]);
    await assert.rejects(analytics.get('none'), { code: 'analytic_missing', message: 'Analytic none does not exist' });
  });

  it('change in description and triage settings alone', async () => {
    const change = { description: 5, triage_settings: { rationales: ['a'] }, name: 'zzz', detections: [] };
    const changed = await analytics.update(id, change, 'now');
    assert.deepEqual([changed.description, changed.name, changed.detections], ['5', 'Phish Lens', ['Lookalike']]);
    assert.deepEqual(changed.triage_settings.rationales, ['a']);
    assert.equal(changed.triage_settings.skip_rationale, false);
    await assert.rejects(analytics.update(id, { triage_settings: 'x' }, 'now'), { at: 'triage_settings' });
    await assert.rejects(analytics.update(id, { triage_settings: { rationales: 'x' } }, 'now'), {
      code: 'invalid_document',
    });
  });

  it('are handed to users who exist', async () => {
    assert.equal((await analytics.setOwner(id, 'ben', 'now')).owner, 'ben');
    await assert.rejects(analytics.setOwner(id, 'nobody', 'now'), { code: 'user_missing' });
    await assert.rejects(analytics.setOwner('none', 'ben', 'now'), { code: 'analytic_missing' });
  });

  it('are commented, and comments edited by their authors', async () => {
    await analytics.addComment(ana, id, { value: 'first' });
    const { comment } = await analytics.addComment(ben, id, { value: 'second', detection: 'Lookalike' });
    assert.deepEqual(
      comment.map(({ user, value, detection }) => [user, value, detection]),
      [
        ['ana', 'first', undefined],
        ['ben', 'second', 'Lookalike'],
      ],
    );
    const [first, second] = comment.map((one) => one.id);
    const edited = await analytics.editComment(ana, id, first ?? '', 'changed');
    assert.deepEqual(
      edited.comment.map((one) => one.value),
      ['changed', 'second'],
    );
    await assert.rejects(analytics.editComment(ana, id, second ?? '', 'x'), { code: 'comment_not_owned' });
    await assert.rejects(analytics.editComment(ana, id, 'none', 'x'), { code: 'comment_missing' });
  });

  it('refuse comments that say nothing or too much', () => {
    const read = (value: unknown) => readInput(CommentBody, { value });
    for (const value of ['', undefined, null, 0, false]) assert.throws(() => read(value), { code: 'comment_empty' });
    assert.throws(() => read(['x']), { code: 'comment_not_text' });
    assert.throws(() => read('x'.repeat(5001)), { code: 'comment_too_long', message: /5000/ });
  });

  it('lose no comment of many that come at once', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => analytics.addComment(ana, id, { value: `comment ${index}` })),
    );
    assert.equal((await analytics.get(id)).document.comment.length, 8);
  });

  it('keep one reaction of each user', async () => {
    const { comment } = await analytics.addComment(ana, id, { value: 'first' });
    const commentId = comment[0]?.id ?? '';
    await analytics.react(ana, id, commentId, 'heart');
    await analytics.react(ben, id, commentId, 'eyes');
    const reacted = await analytics.react(ana, id, commentId, 'thumbs');
    assert.deepEqual(reacted.comment[0]?.reactions, { ana: 'thumbs', ben: 'eyes' });
    const cleared = await analytics.react(ben, id, commentId, undefined);
    assert.deepEqual(cleared.comment[0]?.reactions, { ana: 'thumbs' });
    assert.equal((await analytics.react(ana, id, 'none', 'x')).comment.length, 1);
  });

  it('lose comments only by their author or an administrator, all that were named or none', async () => {
    await analytics.addComment(ana, id, { value: 'a' });
    const { comment } = await analytics.addComment(ben, id, { value: 'b' });
    const ids = comment.map((one) => one.id);
    await assert.rejects(analytics.removeComments(ana, id, ids), { code: 'comment_not_owned' });
    assert.equal((await analytics.get(id)).document.comment.length, 2);
    await analytics.removeComments(ana, id, ['none', ids[0] ?? '']);
    await analytics.removeComments(anAdministrator(), id, ids);
    assert.deepEqual((await analytics.get(id)).document.comment, []);
  });

  it('have notebooks of the gallery', async () => {
    const value = 'https://nbgallery.example/1';
    await assert.rejects(analytics.addNotebook(ana, id, { value, name: '' }), { code: 'notebook_incomplete' });
    await assert.rejects(analytics.addNotebook(ana, id, { value: 'https://elsewhere.example', name: 'n' }), {
      code: 'notebook_unsupported',
    });
    const { notebooks: added } = await analytics.addNotebook(ana, id, { value, name: 'n' });
    const notebookId = added[0]?.id ?? '';
    await assert.rejects(analytics.removeNotebooks(ben, id, [notebookId]), { code: 'notebook_not_owned' });
    await analytics.removeNotebooks(ana, id, [notebookId]);
    assert.deepEqual((await analytics.get(id)).document.notebooks, []);
  });
});
