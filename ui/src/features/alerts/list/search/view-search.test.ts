import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expandWords } from '../../../query/words/expand-words.ts';
import { indexesOfView, parametersInView, parametersOfView, sortInView, type View } from './view-search.ts';

const view = { query: 'howler.status:open', sort: 'event.created asc', span: 'date.range.1.month' } as View;

describe('the address of a view', () => {
  it('opens a view with its query, order and span, in which the address comes first', () => {
    assert.deepEqual(parametersOfView(view, { view: 'x' }), {
      view: 'x',
      q: 'howler.status:open',
      sort: 'event.created asc',
      span: '1M',
    });
    assert.equal(parametersOfView(view, { q: 'a:b', span: undefined }).q, 'a:b');
    assert.equal(parametersOfView(view, { span: '7d' }).span, '7d');
  });

  it('opens a view without a span, or with one that it cannot read, over all times', () => {
    assert.equal(parametersOfView({ ...view, span: 'date.range.all' } as View, {}).span, undefined);
    assert.equal(parametersOfView({ query: 'x' } as View, {}).span, undefined);
  });

  it('has the words that the clauses of its query stand for', () => {
    assert.equal(parametersOfView({ query: expandWords('evil').text } as View, {}).q, 'evil');
  });

  it('says what differs from the view, also that a part of it is taken away', () => {
    for (const wanted of [
      { q: 'howler.status:open', span: '1M' },
      { q: 'howler.status:open AND a:b', span: '1M' },
      { q: '', span: '' },
      { q: undefined, span: '7d' },
    ]) {
      const inView = parametersInView(view, wanted);
      const read = parametersOfView(view, inView);
      assert.deepEqual([read.q ?? '', read.span ?? ''], [wanted.q ?? '', wanted.span ?? '']);
    }
    assert.deepEqual(parametersInView(view, { q: 'howler.status:open', span: '1M' }), {
      q: undefined,
      span: undefined,
    });
    assert.deepEqual(parametersInView(undefined, { q: 'a', span: undefined }), { q: 'a', span: undefined });
  });

  it('names an order that is not that of the view, also the usual one', () => {
    assert.equal(sortInView(view, { field: 'event.created', direction: 'asc' }), undefined);
    assert.equal(sortInView(view, { field: 'event.created', direction: 'desc' }), 'event.created desc');
    assert.equal(sortInView(undefined, { field: 'event.created', direction: 'desc' }), undefined);
    assert.equal(sortInView(undefined, { field: 'event.severity', direction: 'desc' }), 'event.severity desc');
  });

  it('has events where the view searches them', () => {
    assert.equal(indexesOfView({ indexes: ['hit', 'event'] }), 'hit,event');
    assert.equal(indexesOfView({ indexes: ['hit'] }), 'hit');
    assert.equal(indexesOfView(undefined), 'hit');
  });
});
