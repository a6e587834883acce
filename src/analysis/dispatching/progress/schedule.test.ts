import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aService } from '../../../testing/analysis/dispatch-fixture.ts';
import { buildSchedule, matchesType, type ScheduleRequest, ServiceCatalogue } from './schedule.ts';

const SERVICES = [
  aService('Filter', { stage: 'FILTER', category: 'Filtering' }),
  aService('Pe', { accepts: 'executable/windows' }),
  aService('Text', { accepts: 'text/.*|code/.*', rejects: 'text/csv' }),
  aService('Sandbox', { category: 'Dynamic Analysis', stage: 'SECONDARY', accepts: '' }),
  aService('Safelist', { category: 'Filtering', stage: 'FILTER' }),
  aService('Off', { enabled: false }),
  aService('Odd', { stage: 'UNKNOWN', category: 'Odd' }),
];

const schedule = (changes: Partial<ScheduleRequest> & { services?: object; deep_scan?: boolean } = {}) => {
  const { services = {}, deep_scan = false, ...request } = changes;
  return buildSchedule({
    catalogue: new ServiceCatalogue(SERVICES),
    stages: ['FILTER', 'CORE', 'SECONDARY', 'POST'],
    safelist: { enabled: true, enforce_safelist_service: false },
    params: { services, deep_scan, ignore_filtering: false },
    fileType: 'text/plain',
    depth: 0,
    forbidden: [],
    mayUse: () => true,
    ...request,
  });
};

describe('buildSchedule', () => {
  it('has the enabled services of the type in their stages; an unknown stage is the last', () => {
    assert.deepEqual(schedule(), [['Filter', 'Safelist'], ['Text'], ['Sandbox'], ['Odd']]);
    assert.deepEqual(schedule({ fileType: 'executable/windows/pe32' }), [
      ['Filter', 'Safelist'],
      ['Pe'],
      ['Sandbox'],
      ['Odd'],
    ]);
  });

  it('takes selected services and categories, adds rescan, leaves out excluded and forbidden ones', () => {
    assert.deepEqual(schedule({ services: { selected: ['Filtering', 'Text', 'Off', 'Missing'] } }), [
      ['Filter', 'Safelist'],
      ['Text'],
    ]);
    assert.deepEqual(schedule({ services: { selected: ['Text'], rescan: ['Dynamic Analysis'] } }), [
      ['Text'],
      ['Sandbox'],
    ]);
    assert.deepEqual(schedule({ services: { selected: [], excluded: ['Filtering', 'Odd'] } }), [['Text'], ['Sandbox']]);
    assert.deepEqual(schedule({ services: { selected: ['Text', 'Sandbox'] }, forbidden: ['Dynamic Analysis'] }), [
      ['Text'],
    ]);
    assert.deepEqual(schedule({ mayUse: ({ name }) => name === 'Text' }), [['Text']]);
  });

  it('leaves the service Safelist out for extracted files, unless something asks for it', () => {
    const services = { selected: ['Safelist'] };
    const enforced = { enabled: true, enforce_safelist_service: true };
    assert.deepEqual(schedule({ services, depth: 1 }), []);
    assert.deepEqual(schedule({ services, depth: 0 }), [['Safelist']]);
    assert.deepEqual(schedule({ services, depth: 1, deep_scan: true }), [['Safelist']]);
    assert.deepEqual(schedule({ services, depth: 1, safelist: enforced }), [['Safelist']]);
    assert.deepEqual(schedule({ services, depth: 1, safelist: { ...enforced, enabled: false } }), [['Safelist']]);
  });
});

describe('matchesType', () => {
  it('is anchored at the start alone', () => {
    assert.equal(matchesType('text', 'text/plain'), true);
    assert.equal(matchesType('plain', 'text/plain'), false);
    assert.equal(matchesType('(?:code|text)/p', 'text/plain'), true);
    assert.equal(matchesType('text$', 'text/plain'), false);
  });

  it('takes hostile and broken patterns', () => {
    const began = performance.now();
    assert.equal(matchesType('(a+)+$', `${'a'.repeat(5000)}b`), false);
    assert.ok(performance.now() - began < 1000);
    for (const pattern of ['(', '(?!archive)', '\\1', '*']) assert.equal(matchesType(pattern, 'text/plain'), false);
  });
});
