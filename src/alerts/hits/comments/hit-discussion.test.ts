import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../../testing/alerts/alert-services.ts';
import { readInput } from '../../../testing/read-input.ts';
import { changeLabels } from '../changes/hit-labels.ts';
import { CommentBody, LabelsBody, MAX_LABELS } from '../hit-schemas.ts';
import { HITS_CHANNEL } from '../hit-store.ts';

const ana = anActor();
const bo = anActor({ username: 'bo' });
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

describe('comments', () => {
  it('are added at the end, each with a log entry', async () => {
    const { howler } = await services.aHit(ana);
    await services.comments.add(ana, howler.id, 'first');
    const { document } = await services.comments.add(bo, howler.id, 'second');
    assert.deepEqual(
      document.howler.comment.map(({ user, value }) => [user, value]),
      [
        ['ana', 'first'],
        ['bo', 'second'],
      ],
    );
    const entry = document.howler.log.at(-1);
    assert.deepEqual(
      [entry?.key, entry?.explanation, entry?.type, entry?.previous_value],
      ['howler.comment', 'Added a comment:\n\nsecond', 'appended', 'list'],
    );
  });

  it('are 1 to 5,000 characters of text', async () => {
    const { howler } = await services.aHit(ana);
    const read = (value: unknown) => readInput(CommentBody, { value }).value;
    for (const value of [undefined, null, '']) assert.throws(() => read(value), { code: 'comment_empty' });
    for (const value of [5, {}, ['x'], true]) assert.throws(() => read(value), { code: 'comment_not_text' });
    for (const value of ['x', '😀']) assert.throws(() => read(value.repeat(5001)), { code: 'comment_too_long' });
    await services.comments.add(ana, howler.id, read('😀'.repeat(5000)));
  });

  it('are edited by their author alone, and become the last', async () => {
    const { howler } = await services.aHit(ana);
    const { document: before } = await services.comments.add(ana, howler.id, 'first\nline');
    await services.comments.add(bo, howler.id, 'second');
    const id = before.howler.comment[0]?.id ?? '';
    await assert.rejects(services.comments.edit(root, howler.id, id, 'x'), { code: 'comment_not_owned' });
    await assert.rejects(services.comments.edit(ana, howler.id, 'none', 'x'), { code: 'comment_missing' });
    const { document } = await services.comments.edit(ana, howler.id, id, 'edited\nline');
    assert.deepEqual(
      document.howler.comment.map(({ value }) => value),
      ['second', 'edited\nline'],
    );
    const entry = document.howler.log.at(-1);
    assert.equal(entry?.explanation, 'Edited a comment. Changes:\n\n````diff\n-first\n+edited\n line\n````');
  });

  it('are removed by their author or an administrator, all or none', async () => {
    const { howler } = await services.aHit(ana);
    const { document } = await services.comments.add(ana, howler.id, 'first');
    const id = document.howler.comment[0]?.id ?? '';
    await assert.rejects(services.comments.remove(bo, howler.id, [id]), { code: 'comment_not_owned' });
    await assert.rejects(services.comments.remove(ana, howler.id, []), { code: 'no_comments_named' });
    await assert.rejects(services.comments.remove(ana, howler.id, [id, 'none']), {
      message: 'Comment with id none not found',
    });
    const removed = await services.comments.remove(root, howler.id, [id, id]);
    assert.deepEqual(removed.document.howler.comment, []);
    assert.equal(removed.document.howler.log.at(-1)?.explanation, 'Deleted a comment');
  });

  it('do not exist on alerts that the actor may not see', async () => {
    const { howler } = await services.aHit(ana, { classification: 'RESTRICTED' });
    await assert.rejects(services.comments.add(low, howler.id, 'x'), { code: 'hit_missing' });
  });

  it('of many people at once are all kept', async () => {
    const { howler } = await services.aHit(ana);
    await Promise.all(Array.from({ length: 8 }, (_, index) => services.comments.add(ana, howler.id, `c${index}`)));
    const { document } = await services.store.get(ana, howler.id);
    assert.equal(new Set(document.howler.comment.map(({ value }) => value)).size, 8);
  });
});

describe('reactions', () => {
  it('are one for each user, without a log entry', async () => {
    const { howler } = await services.aHit(ana);
    const { document } = await services.comments.add(ana, howler.id, 'first');
    const id = document.howler.comment[0]?.id ?? '';
    const react = async (actor: typeof ana, reaction: string | undefined) => {
      const changed = await services.comments.react(actor, howler.id, id, reaction);
      assert.equal(changed.document.howler.log.length, 2);
      return changed.document.howler.comment[0]?.reactions;
    };
    assert.deepEqual(await react(ana, 'heart'), { ana: 'heart' });
    assert.deepEqual(await react(bo, 'smile'), { ana: 'heart', bo: 'smile' });
    assert.deepEqual(await react(ana, 'thumbsup'), { bo: 'smile', ana: 'thumbsup' });
    assert.deepEqual(await react(ana, undefined), { bo: 'smile' });
    await services.comments.react(ana, howler.id, 'none', 'heart');
  });
});

describe('labels', () => {
  const add = (id: string, set: string, labels: string[]) =>
    changeLabels('append', services.store, ana, { id, label_set: set }, () => labels, 'now');
  const remove = (id: string, set: string, labels: string[]) =>
    changeLabels('remove', services.store, ana, { id, label_set: set }, () => labels, 'now');

  it('are added and removed in their set, with a log entry each', async () => {
    const { howler } = await services.aHit(ana);
    const added = await add(howler.id, 'generic', ['a', 'b', 'a']);
    assert.deepEqual(added.document.howler.labels?.generic, ['a', 'b']);
    assert.equal(added.document.howler.log.length, 3);
    const removed = await remove(howler.id, 'generic', ['a', 'unknown']);
    assert.deepEqual(removed.document.howler.labels?.generic, ['b']);
    const [first, second] = removed.document.howler.log.slice(-2);
    assert.deepEqual(
      [first?.new_value, first?.previous_value, first?.type, second?.new_value],
      ['a', "['a', 'b']", 'removed', 'unknown'],
    );
  });

  it('are not added twice', async () => {
    const { howler } = await services.aHit(ana);
    await add(howler.id, 'generic', ['a']);
    await assert.rejects(add(howler.id, 'generic', ['b', 'a']), { message: "Cannot add duplicate labels: {'a'}" });
  });

  it('need a set that exists, and text', async () => {
    const { howler } = await services.aHit(ana);
    for (const set of ['nope', '__proto__', 'generic.x', '']) {
      await assert.rejects(add(howler.id, set, ['x']), { code: 'label_set_missing' });
    }
    const read = (value: unknown) => readInput(LabelsBody, { value }).value;
    for (const labels of [undefined, null, []]) assert.throws(() => read(labels), { code: 'labels_missing' });
    for (const labels of ['x', [5], [''], {}]) assert.throws(() => read(labels), { code: 'labels_not_text' });
    const many = Array.from({ length: MAX_LABELS + 1 }, (_, at) => `l${at}`);
    assert.throws(() => read(many), { code: 'too_many_labels', message: /201 labels .* at most 200/ });
    assert.equal(read(many.slice(1)).length, MAX_LABELS);
    await assert.rejects(add('none', 'nope', ['x']), { code: 'hit_missing' });
  });
});

describe('who follows an alert', () => {
  it('is told of each change, with the version', async () => {
    const { howler } = await services.aHit(ana);
    const seen: unknown[] = [];
    const stop = await services.coordination.events.subscribe(HITS_CHANNEL, (_, payload) => seen.push(payload));
    const { document, version } = await services.comments.add(ana, howler.id, 'first');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await stop();
    assert.deepEqual(JSON.parse(JSON.stringify(seen)), [JSON.parse(JSON.stringify({ hit: document, version }))]);
  });
});
