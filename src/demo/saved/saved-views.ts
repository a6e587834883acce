import type { Analyst } from '../triage-courses.ts';

export interface SavedView {
  readonly owner: Analyst;
  readonly title: string;
  readonly query: string;
  readonly type: 'global' | 'personal';
  readonly indexes?: readonly string[];
  readonly sort?: string;
  readonly span?: string;
  readonly members?: readonly Analyst[];
  readonly admins?: readonly Analyst[];
}

export const SAVED_VIEWS: readonly SavedView[] = [
  {
    owner: 'admin',
    title: 'Unassigned',
    type: 'global',
    query: 'howler.status:open AND howler.assignment:unassigned',
    sort: 'howler.score desc',
    span: 'date.range.1.week',
  },
  {
    owner: 'admin',
    title: 'High score, open',
    type: 'global',
    query: 'howler.status:open AND howler.score:[80 TO *]',
    sort: 'howler.score desc',
    span: 'date.range.1.month',
  },
  {
    owner: 'shawn-h',
    title: 'Phishing',
    type: 'global',
    query: 'howler.analytic:"Phish Lens" OR howler.detection:"Known Phishing Site"',
    sort: 'event.created desc',
    span: 'date.range.1.month',
    admins: ['user'],
  },
  {
    owner: 'user',
    title: 'Beacons and tunnels',
    type: 'global',
    query: 'threat.tactic.id:TA0011',
    indexes: ['hit', 'event'],
    sort: 'event.created desc',
    span: 'date.range.1.month',
  },
  {
    owner: 'goose',
    title: 'Waiting for an answer',
    type: 'global',
    query: 'howler.status:on-hold',
    sort: 'event.created asc',
    span: 'date.range.all',
  },
  {
    owner: 'admin',
    title: 'Confirmed this month',
    type: 'global',
    query: 'howler.escalation:evidence',
    sort: 'howler.triaged desc',
    span: 'date.range.1.month',
    members: ['huey', 'goose'],
  },
  {
    owner: 'user',
    title: 'Executives',
    type: 'personal',
    query: 'howler.labels.victim:vip',
    sort: 'event.created desc',
    span: 'date.range.1.month',
    members: ['huey'],
  },
  {
    owner: 'huey',
    title: 'Office spawned shell on finance',
    type: 'personal',
    query: 'howler.detection:"Office Spawned Shell" AND user.name:(adesrosiers OR jwhitfield)',
    span: 'date.range.1.month',
  },
  {
    owner: 'goose',
    title: 'Cloud accounts',
    type: 'global',
    query: 'cloud.provider:aws',
    sort: 'event.created desc',
    span: 'date.range.1.month',
  },
  {
    owner: 'shawn-h',
    title: 'Everything from Romania and Bulgaria',
    type: 'personal',
    query: 'source.geo.country_iso_code:(RO OR BG)',
    indexes: ['hit', 'event'],
    span: 'date.range.1.month',
    admins: ['admin'],
  },
];
