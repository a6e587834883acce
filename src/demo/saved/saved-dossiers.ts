import type { Analyst } from '../triage-courses.ts';

export interface SavedDossier {
  readonly owner: Analyst;
  readonly title: string;
  readonly type: 'global' | 'personal';
  readonly query: string;
  readonly leads: readonly Lead[];
  readonly pivots: readonly Pivot[];
  readonly members?: readonly Analyst[];
}

interface Label {
  readonly en: string;
  readonly fr: string;
}
interface Lead {
  readonly icon: string;
  readonly label: Label;
  readonly format: 'markdown';
  readonly content: string;
}
interface Pivot {
  readonly icon: string;
  readonly group: string;
  readonly label: Label;
  readonly value: string;
  readonly format: 'link';
  readonly mappings: readonly { readonly key: string; readonly field: string }[];
}

const note = (en: string, fr: string, content: string): Lead => ({
  icon: 'material-symbols:lightbulb-outline',
  label: { en, fr },
  format: 'markdown',
  content,
});

/** A link into another tool; `{{value}}` stands for the field. */
const link = (group: string, en: string, fr: string, address: string, field: string): Pivot => ({
  icon: 'material-symbols:open-in-new',
  group,
  label: { en, fr },
  value: `https://${address}`,
  format: 'link',
  mappings: [{ key: 'value', field }],
});

export const SAVED_DOSSIERS: readonly SavedDossier[] = [
  {
    owner: 'user',
    title: 'Beacons',
    type: 'global',
    query: 'threat.tactic.id:TA0011',
    leads: [
      note(
        'How to read the interval',
        'Lire l’intervalle',
        'Below 30 seconds: telemetry. Exactly 60, 90 or 300 with little jitter: look closer.',
      ),
    ],
    pivots: [
      link(
        'network/dns',
        'History of the name',
        'Historique du nom',
        'dns.tools.example/history/{{value}}',
        'destination.domain',
      ),
      link(
        'network/flow',
        'Flows to the address',
        'Flux vers l’adresse',
        'flows.maplecrest.example/?dst={{value}}',
        'destination.ip',
      ),
    ],
  },
  {
    owner: 'shawn-h',
    title: 'Phishing',
    type: 'global',
    query: 'howler.analytic:"Phish Lens" OR howler.detection:"Known Phishing Site"',
    leads: [
      note('Purge', 'Purger', '1. Search the message in all mailboxes.\n2. Purge it.\n3. List who opened the link.'),
    ],
    pivots: [
      link(
        'mail',
        'Same sender',
        'Même expéditeur',
        'mail.maplecrest.example/search?from={{value}}',
        'email.from.address',
      ),
    ],
    members: ['user', 'huey'],
  },
  {
    owner: 'huey',
    title: 'Endpoint first aid',
    type: 'global',
    query: 'event.category:process AND _exists_:host.name',
    leads: [note('Isolate', 'Isoler', 'Ask for isolation of **{{host.name}}** in the channel of the duty officer.')],
    pivots: [
      link(
        'host',
        'Host in the console',
        'Hôte dans la console',
        'edr.maplecrest.example/hosts/{{value}}',
        'host.name',
      ),
      link('host', 'Seen file', 'Fichier vu', 'edr.maplecrest.example/files/{{value}}', 'file.hash.sha256'),
    ],
  },
  {
    owner: 'goose',
    title: 'Cloud keys',
    type: 'personal',
    query: 'cloud.provider:aws',
    leads: [note('Disable first', 'Désactiver d’abord', 'Disable the key, then ask whose it is.')],
    pivots: [
      link(
        'cloud',
        'Trail of the user',
        'Journal de l’utilisateur',
        'trail.maplecrest.example/?user={{value}}',
        'user.name',
      ),
    ],
  },
  {
    owner: 'user',
    title: 'My notes on executives',
    type: 'personal',
    query: 'howler.labels.victim:vip',
    leads: [note('Whom to call', 'Qui appeler', 'Assistant first: Rose Gauthier, 5142.')],
    pivots: [],
  },
  {
    owner: 'admin',
    title: 'Password Checker',
    type: 'global',
    query: 'howler.analytic:"Password Checker"',
    leads: [
      note(
        'Call script',
        'Script d’appel',
        'Ask for the last place and time of a sign-in. Never ask for the password.',
      ),
      note(
        'When to reset',
        'Quand réinitialiser',
        'A success from a place that the user does not know: reset and revoke sessions at once.',
      ),
    ],
    pivots: [
      link(
        'identity/sign-ins',
        'Sign-ins of the user',
        'Connexions de l’utilisateur',
        'idp.maplecrest.example/signins?user={{value}}',
        'user.name',
      ),
      link(
        'identity/sign-ins',
        'Sign-ins from the address',
        'Connexions de l’adresse',
        'idp.maplecrest.example/signins?ip={{value}}',
        'source.ip',
      ),
      link('identity/account', 'Account', 'Compte', 'idp.maplecrest.example/users/{{value}}', 'user.name'),
      link(
        'identity/account',
        'MFA methods',
        'Méthodes AMF',
        'idp.maplecrest.example/users/{{value}}/mfa',
        'user.name',
      ),
      link('identity/account', 'Sessions', 'Sessions', 'idp.maplecrest.example/users/{{value}}/sessions', 'user.name'),
      link('identity/directory', 'Directory entry', 'Annuaire', 'directory.maplecrest.example/{{value}}', 'user.email'),
      link(
        'identity/directory',
        'Manager',
        'Gestionnaire',
        'directory.maplecrest.example/{{value}}/manager',
        'user.email',
      ),
      link('network/address', 'Whois', 'Whois', 'whois.tools.example/{{value}}', 'source.ip'),
      link('network/address', 'Reputation', 'Réputation', 'reputation.tools.example/{{value}}', 'source.ip'),
      link('network/address', 'Open ports', 'Ports ouverts', 'ports.tools.example/host/{{value}}', 'source.ip'),
      link('network/dns', 'Names of the address', 'Noms de l’adresse', 'dns.tools.example/ip/{{value}}', 'source.ip'),
      link(
        'network/dns',
        'History of the name',
        'Historique du nom',
        'dns.tools.example/history/{{value}}',
        'source.domain',
      ),
      link(
        'network/vpn',
        'VPN sessions',
        'Sessions VPN',
        'vpn.maplecrest.example/sessions?user={{value}}',
        'user.name',
      ),
      link('mail', 'Mail rules', 'Règles de courriel', 'mail.maplecrest.example/rules/{{value}}', 'user.email'),
      link(
        'tickets',
        'Tickets of the user',
        'Billets de l’utilisateur',
        'desk.maplecrest.example/?requester={{value}}',
        'user.email',
      ),
    ],
  },
];
