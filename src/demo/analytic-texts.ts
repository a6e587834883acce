import { ASSESSMENTS, type Assessment } from '../documents/kinds/record-parts.ts';
import type { Analyst } from './triage-courses.ts';

/** The description of an analytic of the demo. */
export interface AnalyticText {
  readonly name: string;
  readonly owner: Analyst;
  /** Markdown. */
  readonly description: string;
  readonly comments: readonly { readonly user: Analyst; readonly value: string; readonly detection?: string }[];
  readonly rationales: readonly string[];
  readonly validAssessments?: readonly Assessment[];
  /** A Lucene rule from which the alerts came once. */
  readonly rule?: string;
}

const about = (what: string, why: string, first: readonly string[]): string =>
  [
    `## What it finds\n\n${what}`,
    `## Why it matters\n\n${why}`,
    `## First steps\n\n${first.map((step) => `1. ${step}`).join('\n')}`,
  ].join('\n\n');

export const ANALYTIC_TEXTS: readonly AnalyticText[] = [
  {
    name: 'Password Checker',
    owner: 'admin',
    description: about(
      'Sign-ins that indicate password guessing: many accounts from one address, many failures before a success, locations too far apart, floods of MFA prompts.',
      'A valid password is the cheapest way in. Most of these alerts end harmless, the few others are how incidents begin.',
      [
        'Look whether any attempt succeeded.',
        'Ask the user out of band.',
        'Block the address for the tenant if it is not shared by customers.',
      ],
    ),
    comments: [
      {
        user: 'user',
        value:
          'The mobile network of our field staff leaves through two addresses in Frankfurt. They are in the allow list now.',
        detection: 'Impossible Travel',
      },
      {
        user: 'huey',
        value: 'Legacy SMTP sign-in is switched off since Monday, sprays should fall to zero.',
        detection: 'Password Spray',
      },
    ],
    rationales: [
      'Confirmed by phone with the user.',
      'Shared exit address of the mobile network.',
      'Password not accepted, user warned.',
    ],
    rule: 'event.category:authentication AND event.outcome:failure AND source.geo.country_iso_code:(RO OR BG OR SC)',
  },
  {
    name: 'Bad Guy Finder',
    owner: 'goose',
    description: about(
      'Addresses, names and files that a feed knows: control servers, phishing pages, malicious files.',
      'A match is only as good as the feed. Blocked connections are cheap to close, allowed ones are not.',
      ['Was it blocked?', 'How old is the indicator?', 'Which other hosts have the same match?'],
    ),
    comments: [
      {
        user: 'goose',
        value: 'The sharing group withdrew 203.0.113.17 on Friday, it is a content network again.',
        detection: 'Known Control Server',
      },
    ],
    rationales: ['Blocked at the gateway, no further traffic.', 'Indicator withdrawn by its source.'],
    rule: 'related.ip:("203.0.113.42" OR "198.51.100.23") OR related.hosts:*.dnsrelay-node.example',
  },
  {
    name: 'Exploit Patcher',
    owner: 'shawn-h',
    description: about(
      'Attempts at known holes of what we show to the internet: the customer portal and the VPN gateway.',
      'Both are patched; an attempt tells who looks at us, a success would tell that a patch is missing.',
      [
        'Compare the version of the target with the advisory.',
        'Look for an answer other than 403.',
        'Add the source to the watch list.',
      ],
    ),
    comments: [],
    rationales: ['Scan of the whole range, target is patched.', 'Vulnerability scanner of the platform team.'],
    rule: 'vulnerability.id:(CVE-2021-44228 OR CVE-2024-3400)',
  },
  {
    name: 'Suspicious PowerShell',
    owner: 'user',
    description: about(
      'PowerShell that hides what it does, fetches scripts, or switches protection off.',
      'Administrators use PowerShell too, but they rarely encode it.',
      ['Decode the command.', 'Look at the parent process.', 'Fetch the script from the proxy cache.'],
    ),
    comments: [
      {
        user: 'user',
        value: 'The deployment tool encodes its commands. Its parent is ccmexec.exe, those are excluded.',
        detection: 'Encoded Command',
      },
    ],
    rationales: ['Approved administrator activity.', 'Host isolated and reinstalled.'],
  },
  {
    name: 'Macro Watch',
    owner: 'huey',
    description: about(
      'Office programs that start shells or script hosts.',
      'Documents have no reason to start programs.',
      ['Isolate the host.', 'Get the document from the mailbox.', 'Purge it from all others.'],
    ),
    comments: [],
    rationales: ['Host isolated and reinstalled, account reset.', 'Add-in of the actuarial team.'],
  },
  {
    name: 'Credential Dumping',
    owner: 'admin',
    description: about(
      'Reading the memory of the logon process, copies of the directory database.',
      'These files contain the hashes of every password.',
      ['Treat as an incident until proven otherwise.', 'Find out how the account came to be administrator.'],
    ),
    comments: [{ user: 'admin', value: 'Call the duty officer, also at night.' }],
    rationales: ['Red team, agreed until Friday.'],
    validAssessments: ASSESSMENTS.filter((assessment) => assessment !== 'ambiguous' && assessment !== 'trivial'),
  },
  {
    name: 'Lateral Movement Watch',
    owner: 'goose',
    description: about(
      'Remote services and desktop sessions between hosts that do not usually talk.',
      'After the first host an intruder looks for the second.',
      ['Is there a change ticket?', 'Did the account use the jump host before?'],
    ),
    comments: [],
    rationales: ['Planned maintenance, see the change ticket.'],
  },
  {
    name: 'Persistence Monitor',
    owner: 'huey',
    description: about(
      'New entries that start programs by themselves: run keys, scheduled tasks.',
      'What wants to stay has to start again.',
      ['Is the program signed?', 'When did the file appear, and from where?'],
    ),
    comments: [],
    rationales: ['Updater of an approved program.'],
  },
  {
    name: 'Ransomware Tripwire',
    owner: 'admin',
    description: about('Steps that ransomware takes before it encrypts.', 'Minutes count.', [
      'Isolate first, ask later.',
    ]),
    comments: [],
    rationales: ['Test of the backup team.'],
  },
  {
    name: 'Beacon Hunter',
    owner: 'user',
    description: about(
      'Connections at regular intervals, names that carry data.',
      'A beacon is the leash of an implant.',
      ['How many other hosts call the same place?', 'What was installed before it began?'],
    ),
    comments: [
      {
        user: 'shawn-h',
        value: 'Interval below 30 s is nearly always telemetry of a browser plug-in.',
        detection: 'Periodic Callout',
      },
    ],
    rationales: ['Telemetry of an approved program.'],
  },
  {
    name: 'Phish Lens',
    owner: 'shawn-h',
    description: about(
      'Mail from names that look like ours, attachments that unpack themselves.',
      'Some recipients always click.',
      ['Who else got it?', 'Purge it.', 'Who opened the link?'],
    ),
    comments: [],
    rationales: ['Part of the phishing exercise of this month.', 'Purged from all mailboxes; no recipient clicked.'],
  },
  {
    name: 'Data Loss Watch',
    owner: 'goose',
    description: about(
      'Large uploads to places that we do not use, shares packed with a password.',
      'Theft by people who leave, and the last step of extortion.',
      ['Ask the manager, not the user.', 'What is in the share?'],
    ),
    comments: [],
    rationales: ['Agreed transfer to the auditor.'],
  },
  {
    name: 'Cloud Guard',
    owner: 'admin',
    description: about('Unexpected changes and logins in the cloud accounts.', 'One key opens all of it.', [
      'Disable the key, then look.',
      'List what was read with it.',
    ]),
    comments: [],
    rationales: ['Terraform run of the platform team.'],
  },
  {
    name: 'SecretAnalytic',
    owner: 'admin',
    description: about('Alerts for few people.', 'It shows how classification hides records.', [
      'Log in as a user without the marking: it is gone.',
    ]),
    comments: [],
    rationales: [],
  },
];
