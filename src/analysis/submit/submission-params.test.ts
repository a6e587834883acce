import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import type { UserSettings } from '../../documents/kinds/user-records.ts';
import { submissionProfiles } from '../users/submission-profiles.ts';
import { type ParamsRequest, resolveParams } from './submission-params.ts';
import { readSubmissionRequest } from './submission-request.ts';

interface Case extends Partial<Pick<ParamsRequest, 'services' | 'endpoint'>> {
  readonly json?: object;
  readonly customize?: boolean;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly stored?: object;
  readonly organization?: string;
  readonly clearance?: string;
  readonly enforced?: boolean;
}

const LOCKED = [
  {
    name: 'locked',
    display_name: 'Locked Down',
    params: { services: { selected: ['Extraction'], excluded: ['CAPE'] }, priority: 700 },
    restricted_params: { submission: ['deep_scan'], CAPE: ['routing'] },
  },
];

function resolved({ customize = true, flags = {}, ...given }: Case = {}) {
  const { analysis: settings } = loadConfig({ environment: {}, flags });
  const text = given.enforced ? 'enforce: true\n' : undefined;
  const loaded = loadClassification();
  const classification = text === undefined ? loaded.whenNotEnforced('unrestricted') : enforced();
  const { params, profile, type } = readSubmissionRequest(given.json ?? {});
  return resolveParams(
    { classification, settings, profiles: submissionProfiles(settings.submission, classification) },
    {
      actor: {
        username: 'anna',
        roles: new Set(customize ? ['submission_create', 'submission_customize'] : ['submission_create']),
        groups: ['CSE', 'OTHER'],
        classification: given.clearance ?? classification.unrestricted,
      },
      organization: given.organization,
      settings: given.stored === undefined ? undefined : settingsOf(given.stored),
    },
    { params, profile, type, services: given.services ?? [], endpoint: given.endpoint ?? 'submit' },
  ).params;
}

function enforced() {
  return loadClassification(ENFORCED);
}

const ENFORCED = `enforce: true
levels:
  - {name: LOW, short_name: L, lvl: 100, aliases: [], css: {}, description: ''}
  - {name: HIGH, short_name: H, lvl: 200, aliases: [], css: {}, description: ''}
required: []
groups:
  - {name: CSE, short_name: CSE, aliases: [], description: ''}
subgroups: []
unrestricted: L
restricted: H
`;

function settingsOf(profiles: object): UserSettings {
  return { submission_profiles: JSON.stringify(profiles) } as UserSettings;
}

describe('parameters of a submission', () => {
  it('are the usual ones where the request says nothing', () => {
    const params = resolved();
    assert.equal(params.classification, 'TLP:C');
    assert.deepEqual([params.priority, params.ttl, params.type, params.submitter], [1000, 30, 'USER', 'anna']);
    assert.deepEqual([params.max_extracted, params.max_supplementary, params.quota_item], [500, 500, true]);
    assert.deepEqual(params.services.selected.length, 5);
    assert.deepEqual(params.groups, []);
  });

  it('are those of the request, unknown ones left out', () => {
    const params = resolved({
      json: {
        params: {
          deep_scan: true,
          max_extracted: 3,
          ttl: '4',
          unknown: 1,
          services: { selected: ['Mini'] },
          submitter: 'bob',
        },
        type: 'MINE',
      },
    });
    assert.deepEqual([params.deep_scan, params.max_extracted, params.ttl], [true, 3, 4]);
    assert.deepEqual([params.services.selected, params.submitter, params.type], [['Mini'], 'anna', 'MINE']);
    assert.equal('unknown' in params, false);
  });

  it('begin with what the user stored for the profile', () => {
    const stored = { default: { priority: 5, groups: ['MINE'] }, static: { deep_scan: true } };
    const own = resolved({ stored, organization: 'ORG' });
    assert.deepEqual([own.priority, own.groups], [5, ['MINE', 'ORG']]);
    const ofProfile = resolved({ stored, json: { submission_profile: 'static', params: { priority: 6 } } });
    assert.deepEqual([ofProfile.priority, ofProfile.deep_scan], [6, true]);
  });

  it('name the groups of the user that the classification names', () => {
    assert.deepEqual(resolved({ enforced: true, clearance: 'HIGH//REL TO CSE' }).groups, ['CSE']);
  });

  it('need a profile of those who may not customise them', () => {
    const limited = (json: object) => resolved({ customize: false, json });
    assert.throws(() => limited({}), {
      code: 'submission_profile_required',
      message:
        "You must specify a submission profile. One of: ['static', 'static_with_dynamic', 'static_with_internet', 'static_and_dynamic_with_internet']",
    });
    assert.throws(() => limited({ submission_profile: 'default' }), {
      message: "Submission profile 'default' does not exist",
    });
    assert.throws(() => limited({ submission_profile: '' }), { code: 'submission_profile_missing' });
    assert.equal(limited({ submission_profile: 'static', params: { deep_scan: true, ttl: 1 } }).ttl, 1);
    assert.equal(resolved({ json: { submission_profile: 'nope' } }).priority, 1000);
  });

  it('of a profile keep what it restricts and excludes', () => {
    const flags = { 'analysis.submission.profiles': LOCKED };
    const services = [{ name: 'CAPE', category: 'Dynamic Analysis' }];
    const locked = (params: object, customize = false) =>
      resolved({ customize, flags, services, json: { submission_profile: 'locked', params } });
    assert.deepEqual(locked({ ttl: 3 }).services, {
      selected: ['Extraction'],
      excluded: ['CAPE'],
      rescan: [],
      resubmit: [],
    });
    assert.throws(() => locked({ deep_scan: true }), {
      message: 'User isn\'t allowed to modify the "deep_scan" parameters of Locked Down profile',
    });
    assert.throws(() => locked({ service_spec: { CAPE: { routing: 'tor' } } }), {
      message: 'User isn\'t allowed to modify the "routing" parameters of "CAPE" service in "Locked Down" profile',
    });
    assert.throws(() => locked({ services: { selected: ['Dynamic Analysis'] } }), {
      message: 'User isn\'t allowed to select the CAPE service of "Dynamic Analysis" in "Locked Down" profile',
    });
    assert.equal(locked({ deep_scan: true }, true).deep_scan, true);
    assert.deepEqual(locked({ services: { excluded: ['Mini'] } }).services.excluded, ['Mini', 'CAPE']);
  });

  it('are capped where the installation says so', () => {
    const capped = (ttl: number) =>
      resolved({ flags: { 'analysis.submission.max_dtl': 7 }, json: { params: { ttl } } }).ttl;
    assert.deepEqual([capped(30), capped(0), capped(3), capped(-5)], [7, 7, 3, -5]);
  });

  it('of bulk have a low priority, fewer files and a type', () => {
    const bulk = (params: object) => resolved({ endpoint: 'ingest', json: { params } });
    const usual = bulk({});
    assert.deepEqual([usual.priority, usual.type, usual.quota_item], [250, 'INGEST', false]);
    assert.deepEqual([usual.max_extracted, usual.max_supplementary], [100, 100]);
    assert.deepEqual([bulk({ priority: 99_999 }).priority, bulk({ priority: 3 }).priority], [250, 3]);
    assert.equal(bulk({ max_extracted: 5000 }).max_extracted, 100);
  });

  it('are refused when they are of the wrong kind, out of range or above the clearance', () => {
    for (const params of [
      { priority: 'high' },
      { priority: 0 },
      { priority: 1501 },
      { ttl: 'long' },
      { ttl: 1e9 },
      { ttl: -1e9 },
      { max_extracted: [] },
      { services: { selected: 7 } },
      { services: 'all' },
      { service_spec: [] },
      { filetype_override: 'no/type' },
      { groups: { a: 1 } },
    ]) {
      assert.throws(() => resolved({ json: { params } }), { kind: 'invalid_input' }, JSON.stringify(params));
      // In bulk the limits of the installation replace these.
      if (params.priority === 1501 || 'max_extracted' in params) continue;
      assert.throws(
        () => resolved({ endpoint: 'ingest', json: { params } }),
        { kind: 'invalid_input' },
        JSON.stringify(params),
      );
    }
    assert.throws(() => resolved({ json: { params: { priority: 99_999 } } }), {
      message: '[priority] Value bigger then the max value. (99999 > 1500)',
      response: '',
    });
    const high = { enforced: true, json: { params: { classification: 'HIGH' } } };
    assert.throws(() => resolved({ ...high, clearance: 'LOW' }), {
      message: "You cannot start a submission with higher classification then you're allowed to see",
    });
    assert.equal(resolved({ ...high, clearance: 'HIGH' }).classification, 'HIGH');
    assert.throws(() => resolved({ enforced: true, json: { params: { classification: 'NOPE' } } }));
  });
});

describe('the JSON of a submission', () => {
  it('is refused when it is not an object of the right values', () => {
    for (const json of [
      [],
      null,
      'x',
      { params: 'none' },
      { params: [] },
      { metadata: 'none' },
      { metadata: [] },
      { name: 5 },
      { name: 'x'.repeat(10_000) },
      { name: 'a\0b' },
      { submission_profile: {} },
      { notification_threshold: 'high' },
      { notification_queue: 5 },
      { params: { default_external_sources: 'one' } },
      JSON.parse('{"metadata": {"__proto__": {"a": 1}}}'),
      JSON.parse(`{"metadata": ${'{"a":'.repeat(150)}1${'}'.repeat(150)}}`),
    ]) {
      assert.throws(() => readSubmissionRequest(json), { kind: 'invalid_input' }, JSON.stringify(json)?.slice(0, 80));
    }
  });

  it('takes the forms of the web interface', () => {
    const { params, externalSources } = readSubmissionRequest({
      ui_params: {
        ttl: 3,
        default_external_sources: ['VT'],
        service_spec: [
          {
            name: 'CAPE',
            params: [
              { name: 'a', value: 1, default: 0 },
              { name: 'b', value: 2, default: 2 },
            ],
          },
          { name: 'Other', params: [{ name: 'c', value: 1, default: 1 }] },
        ],
        services: [
          { name: 'Extraction', selected: true, services: [{ name: 'Extract', selected: true }] },
          { name: 'Dynamic Analysis', selected: false, services: [{ name: 'CAPE', selected: true }, { name: 'X' }] },
        ],
      },
    });
    assert.deepEqual(params, {
      ttl: 3,
      service_spec: { CAPE: { a: 1 } },
      services: { selected: ['Extraction', 'CAPE'] },
    });
    assert.deepEqual(externalSources, ['VT']);
  });
});
