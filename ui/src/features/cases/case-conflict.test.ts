import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Case } from './case-api.ts';
import { assertUnchanged, CaseConflict } from './case-conflict.ts';

const present: Case = {
  case_id: 'c',
  classification: 'UNRESTRICTED',
  title: 'Title',
  summary: 'Theirs',
  escalation: 'focus',
  status: 'open',
  visible: true,
};

it('accepts a change of members that are as they were seen', () => {
  assertUnchanged({ status: 'open' }, { status: 'resolved' }, present);
  assertUnchanged({ participants: [] }, { participants: ['ana'] }, present);
});

it('accepts a change that another person made already', () => {
  assertUnchanged({ escalation: 'normal' }, { escalation: 'focus' }, present);
});

it('compares the members of a rule with those of the same rule', () => {
  const rule = { query: 'message:theirs', enabled: false };
  assertUnchanged({ enabled: true }, { enabled: false }, present, rule);
  assertUnchanged({ timeframe: null }, { timeframe: 3 }, present, rule);
  assert.throws(
    () => assertUnchanged({ query: 'message:a' }, { query: 'message:mine' }, present, rule),
    (error) => error instanceof CaseConflict && error.members.join() === 'query' && error.present === rule,
  );
});

it('refuses a change of a member that another person changed, and names it', () => {
  assert.throws(
    () => assertUnchanged({ summary: 'Before', status: 'open' }, { summary: 'Mine', status: 'resolved' }, present),
    (error) => error instanceof CaseConflict && error.members.join() === 'summary' && error.case === present,
  );
});
