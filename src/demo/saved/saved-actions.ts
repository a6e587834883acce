import type { Analyst } from '../triage-courses.ts';

type Trigger = 'create' | 'promote' | 'demote' | 'add_label' | 'remove_label';

export interface SavedAction {
  readonly owner: Analyst;
  readonly name: string;
  readonly query: string;
  readonly operation: string;
  readonly args: Readonly<Record<string, string>>;
  readonly triggers: readonly Trigger[];
}

const action = (
  owner: Analyst,
  name: string,
  query: string,
  operation: string,
  args: Readonly<Record<string, string>>,
  ...triggers: readonly Trigger[]
): SavedAction => ({ owner, name, query, operation, args, triggers });

const label = (
  owner: Analyst,
  name: string,
  query: string,
  category: string,
  text: string,
  ...triggers: readonly Trigger[]
): SavedAction => action(owner, name, query, 'add_label', { category, label: text }, ...triggers);

const score = (
  owner: Analyst,
  name: string,
  query: string,
  value: string,
  ...triggers: readonly Trigger[]
): SavedAction => action(owner, name, query, 'prioritization', { field: 'score', value }, ...triggers);

const close = (owner: Analyst, name: string, query: string, assessment: string, rationale: string): SavedAction =>
  action(owner, name, query, 'demote', { escalation: 'miss', assessment, rationale });

export const SAVED_ACTIONS: readonly SavedAction[] = [
  label('admin', 'Mark executives', 'user.name:(gtremblay OR rgauthier)', 'victim', 'vip', 'create'),
  label('admin', 'Mark domain controllers', 'host.name:MCM-DC*', 'victim', 'domain-controller', 'create'),
  label(
    'shawn-h',
    'Benefits lure',
    'related.hosts:"maplecrest-benefits.example"',
    'campaign',
    'benefits-lure',
    'create',
  ),
  label('goose', 'Known stealers', 'threat.software.name:("Lumma Stealer" OR FormBook)', 'threat', 'stealer', 'create'),
  label('goose', 'Remote access tools', 'threat.software.name:(AsyncRAT OR Remcos)', 'threat', 'rat', 'create'),
  label('user', 'Tunnel by domain names', 'howler.detection:"Domain Name Tunnel"', 'threat', 'dns-tunnel'),
  label('huey', 'Finance laptops', 'user.name:(adesrosiers OR jwhitfield)', 'victim', 'finance'),
  label('user', 'Needs tuning', 'howler.assessment:false-positive', 'tuning', 'review', 'demote'),
  label(
    'admin',
    'Handed to the duty officer',
    'howler.escalation:evidence AND howler.score:[90 TO *]',
    'assignments',
    'duty-officer',
    'promote',
  ),
  label(
    'shawn-h',
    'Exercise of this month',
    'howler.rationale:"Part of the phishing exercise of this month."',
    'operation',
    'exercise',
  ),
  score('admin', 'Raise credential dumping', 'howler.analytic:"Credential Dumping"', '98', 'create'),
  score(
    'goose',
    'Lower blocked control servers',
    'howler.detection:"Known Control Server" AND event.outcome:failure',
    '25',
  ),
  score(
    'shawn-h',
    'Lower log library scans',
    'howler.detection:"Log Library Lookup" AND http.response.status_code:403',
    '10',
  ),
  score('huey', 'Raise ransomware steps', 'howler.analytic:"Ransomware Tripwire"', '99', 'create'),
  score('user', 'Raise executives', 'howler.labels.victim:vip', '85', 'add_label'),
  action('admin', 'Reliability of the sharing group', 'threat.feed.name:"Sector sharing group"', 'prioritization', {
    field: 'reliability',
    value: '6',
  }),
  action(
    'goose',
    'Promote approved MFA floods',
    'howler.detection:"MFA Fatigue" AND event.outcome:success',
    'promote',
    { escalation: 'alert' },
  ),
  action('admin', 'Promote shadow copy deletion', 'howler.detection:"Shadow Copies Deleted"', 'promote', {
    escalation: 'alert',
  }),
  action(
    'user',
    'Promote forms sent to phishing pages',
    'howler.detection:"Known Phishing Site" AND http.request.method:POST',
    'promote',
    { escalation: 'alert' },
  ),
  action(
    'shawn-h',
    'Demote opened pages',
    'howler.detection:"Known Phishing Site" AND http.request.method:GET',
    'demote',
    { escalation: 'hit' },
  ),
  close(
    'shawn-h',
    'Close refused exploit scans',
    'howler.analytic:"Exploit Patcher" AND event.outcome:failure AND howler.status:open',
    'security',
    'Scan of the whole range, target is patched.',
  ),
  close(
    'user',
    'Close the backup agent',
    'process.name:backupagent.exe AND howler.status:open',
    'legitimate',
    'Approved program.',
  ),
  close(
    'huey',
    'Close the deployment tool',
    'process.parent.name:ccmexec.exe AND howler.status:open',
    'legitimate',
    'Approved administrator activity.',
  ),
  close(
    'goose',
    'Close the withdrawn indicator',
    'destination.ip:203.0.113.17 AND howler.status:open',
    'false-positive',
    'Indicator withdrawn by its source.',
  ),
  action('admin', 'Give cloud alerts to goose', 'howler.analytic:"Cloud Guard" AND howler.status:open', 'transition', {
    status: 'open',
    transition: 'assign_to_other',
    assignee: 'goose',
  }),
  action('admin', 'Give phishing to shawn-h', 'howler.analytic:"Phish Lens" AND howler.status:open', 'transition', {
    status: 'open',
    transition: 'assign_to_other',
    assignee: 'shawn-h',
  }),
  action('huey', 'Take office shells', 'howler.detection:"Office Spawned Shell" AND howler.status:open', 'transition', {
    status: 'open',
    transition: 'assign_to_me',
  }),
  action(
    'user',
    'Pause what waits for users',
    'howler.labels.generic:waiting AND howler.status:in-progress',
    'transition',
    { status: 'in-progress', transition: 'pause' },
  ),
  action('goose', 'No longer waiting', 'howler.labels.generic:waiting AND howler.status:resolved', 'remove_label', {
    category: 'generic',
    label: 'waiting',
  }),
  action('admin', 'Set the organization', 'NOT _exists_:organization.name', 'change_field', {
    field: 'organization.name',
    value: 'Maplecrest Mutual',
  }),
];
