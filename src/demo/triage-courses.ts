import type { Assessment } from '../documents/kinds/record-parts.ts';
import type { DemoRandom } from './demo-random.ts';

/** The analysts of the demo. */
export const ANALYSTS = ['admin', 'user', 'huey', 'goose', 'shawn-h'] as const;
export type Analyst = (typeof ANALYSTS)[number];

/** Progress of the work on an alert. */
export type Course =
  | { readonly kind: 'untouched' }
  | { readonly kind: 'assigned' | 'started' | 'paused'; readonly analyst: Analyst }
  | {
      readonly kind: 'resolved';
      readonly analyst: Analyst;
      readonly assessment: Assessment;
      readonly rationale: string;
    };

const BENIGN: readonly (readonly [Assessment, readonly string[]])[] = [
  [
    'legitimate',
    [
      'Planned maintenance, change CHG-20418.',
      'Confirmed by phone with the user.',
      'Approved administrator activity from the jump host.',
    ],
  ],
  [
    'false-positive',
    [
      'Signature matches our own monitoring agent.',
      'Shared exit address of the mobile network.',
      'Vulnerability scanner of the platform team.',
    ],
  ],
  ['security', ['Part of the phishing exercise of this month.', 'Red team, agreed until Friday.']],
  ['development', ['Test data of the detection team.']],
  ['ambiguous', ['Logs of that day are no longer kept; nothing else points at this host.']],
];

const HARMFUL: readonly (readonly [Assessment, readonly string[]])[] = [
  ['attempt', ['Blocked at the gateway, no further traffic from the source.', 'Password not accepted, user warned.']],
  [
    'mitigated',
    [
      'Host isolated and reinstalled, account reset.',
      'Sessions revoked, address blocked, mail purged from 41 mailboxes.',
    ],
  ],
  [
    'compromise',
    [
      'Credentials were entered on the page. Sessions revoked, case opened.',
      'Second stage ran for eleven minutes before isolation.',
    ],
  ],
  ['recon', ['Scan of the whole range, nothing answered.']],
  ['trivial', ['Adware, removed by the agent.']],
];

const COMMENTS = [
  'Same source as last week, see the case.',
  'Asked the user; waiting for an answer.',
  'No sign of a second stage in the proxy log of that hour.',
  'Checked the hash: unsigned, seen on this host only.',
  'Could be the new backup agent. I will ask infrastructure.',
  'Password reset requested, ticket SD-48117.',
] as const;

/** A quarter of the alerts is resolved, older ones rather than new ones; a few are being worked on. */
export function courseOf(score: number, age: number, random: DemoRandom): Course {
  const chance = random.next();
  const resolved = 0.1 + 0.3 * age;
  const analyst = random.pick(ANALYSTS);
  if (chance < resolved) {
    const [assessment, rationales] = random.pick(random.chance(score / 130) ? HARMFUL : BENIGN);
    return { kind: 'resolved', analyst, assessment, rationale: random.pick(rationales) };
  }
  if (chance < resolved + 0.08) return { kind: 'started', analyst };
  if (chance < resolved + 0.11) return { kind: 'paused', analyst };
  if (chance < resolved + 0.18) return { kind: 'assigned', analyst };
  return { kind: 'untouched' };
}

/** Returns the comment of an analyst on an alert, if any. */
export function commentOn(course: Course, random: DemoRandom): string | undefined {
  return course.kind !== 'untouched' && random.chance(0.45) ? random.pick(COMMENTS) : undefined;
}
