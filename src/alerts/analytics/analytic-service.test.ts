import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../testing/alerts/alert-services.ts';
import { AnalyticCommentService } from './analytic-comment-service.ts';
import { AnalyticNotebookService } from './analytic-notebook-service.ts';
import { AnalyticService } from './analytic-service.ts';

const ana = anActor();
const ben = anActor({ username: 'ben' });

describe('analytics', () => {
  let services: AlertServices;
  let analytics: AnalyticService;
  let comments: AnalyticCommentService;
  let notebooks: AnalyticNotebookService;
  let id: string;

  beforeEach(async () => {
    services = await openAlertServices();
    analytics = new AnalyticService({
      analytics: services.analyticCollection,
      users: { get: async (name) => (['ana', 'ben'].includes(name) ? ({} as never) : undefined) },
    });
    comments = new AnalyticCommentService({ analytics });
    notebooks = new AnalyticNotebookService({ analytics });
    await services.aHit(ana, { 'howler.analytic': 'Phish Lens', 'howler.detection': 'Lookalike' });
    id = (await analytics.list())[0]?.id ?? '';
  });
  afterEach(() => services.close());

  it('come into being with the first alert', async () => {
    const analytic = await analytics.get(id);
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
    await comments.add(ana, id, { value: 'first' });
    const { comment } = await comments.add(ben, id, { value: 'second', detection: 'Lookalike' });
    assert.deepEqual(
      comment.map(({ user, value, detection }) => [user, value, detection]),
      [
        ['ana', 'first', undefined],
        ['ben', 'second', 'Lookalike'],
      ],
    );
    const [first, second] = comment.map((one) => one.id);
    const edited = await comments.edit(ana, id, first ?? '', 'changed');
    assert.deepEqual(
      edited.comment.map((one) => one.value),
      ['changed', 'second'],
    );
    await assert.rejects(comments.edit(ana, id, second ?? '', 'x'), { code: 'comment_not_owned' });
    await assert.rejects(comments.edit(ana, id, 'none', 'x'), { code: 'comment_missing' });
  });

  it('refuse comments that say nothing or too much', async () => {
    for (const value of ['', undefined, null])
      await assert.rejects(comments.add(ana, id, { value }), { code: 'comment_empty' });
    await assert.rejects(comments.add(ana, id, { value: ['x'] }), { code: 'comment_not_text' });
    await assert.rejects(comments.add(ana, id, { value: 'x'.repeat(5001) }), { code: 'comment_too_long' });
  });

  it('lose no comment of many that come at once', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => comments.add(ana, id, { value: `comment ${index}` })));
    assert.equal((await analytics.get(id)).comment.length, 8);
  });

  it('keep one reaction of each user', async () => {
    const { comment } = await comments.add(ana, id, { value: 'first' });
    const commentId = comment[0]?.id ?? '';
    await comments.react(ana, id, commentId, 'heart');
    await comments.react(ben, id, commentId, 'eyes');
    const reacted = await comments.react(ana, id, commentId, 'thumbs');
    assert.deepEqual(reacted.comment[0]?.reactions, { ana: 'thumbs', ben: 'eyes' });
    const cleared = await comments.react(ben, id, commentId, undefined);
    assert.deepEqual(cleared.comment[0]?.reactions, { ana: 'thumbs' });
    assert.equal((await comments.react(ana, id, 'none', 'x')).comment.length, 1);
  });

  it('lose comments only by their author or an administrator, all that were named or none', async () => {
    await comments.add(ana, id, { value: 'a' });
    const { comment } = await comments.add(ben, id, { value: 'b' });
    const ids = comment.map((one) => one.id);
    await assert.rejects(comments.remove(ana, id, ids), { code: 'comment_not_owned' });
    assert.equal((await analytics.get(id)).comment.length, 2);
    await comments.remove(ana, id, ['none', ids[0] ?? '']);
    await comments.remove(anAdministrator(), id, ids);
    assert.deepEqual((await analytics.get(id)).comment, []);
  });

  it('have notebooks of the gallery', async () => {
    const value = 'https://nbgallery.example/1';
    await assert.rejects(notebooks.add(ana, id, { value, name: '' }), { code: 'notebook_incomplete' });
    await assert.rejects(notebooks.add(ana, id, { value: 'https://elsewhere.example', name: 'n' }), {
      code: 'notebook_unsupported',
    });
    const { notebooks: added } = await notebooks.add(ana, id, { value, name: 'n' });
    const notebookId = added[0]?.id ?? '';
    await assert.rejects(notebooks.remove(ben, id, [notebookId]), { code: 'notebook_not_owned' });
    await notebooks.remove(ana, id, [notebookId]);
    assert.deepEqual((await analytics.get(id)).notebooks, []);
  });
});
