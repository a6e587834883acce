/**
 * The company whose alerts the demo shows.
 * Names, hosts and addresses are invented: internal addresses are private, external ones are of the ranges and names
 * reserved for documentation (RFC 5737, RFC 2606).
 */
export const COMPANY = {
  name: 'Maplecrest Mutual',
  domain: 'maplecrest.example',
  windowsDomain: 'MAPLECREST',
} as const;

export interface Person {
  readonly username: string;
  readonly name: string;
  readonly department: string;
  readonly title: string;
}

export interface Host {
  readonly name: string;
  readonly ip: string;
  readonly mac: string;
  readonly system: string;
  readonly purpose: string;
}

/** A laptop and whose it is. */
export interface Workstation extends Host {
  readonly owner: Person;
}

/** An address that attacks come from or data goes to. */
export interface ExternalHost {
  readonly ip: string;
  readonly domain: string;
  readonly country: string;
  readonly countryCode: string;
  readonly network: string;
  readonly asn: number;
}

const people: readonly (readonly [username: string, name: string, department: string, title: string])[] = [
  ['adesrosiers', 'Amélie Desrosiers', 'Finance', 'Accounts Payable Clerk'],
  ['bokafor', 'Ben Okafor', 'Engineering', 'Senior Developer'],
  ['cnguyen', 'Carol Nguyen', 'Human Resources', 'Recruiter'],
  ['dkowalski', 'Daniel Kowalski', 'Infrastructure', 'Systems Administrator'],
  ['efournier', 'Élise Fournier', 'Legal', 'Counsel'],
  ['fhassan', 'Farah Hassan', 'Claims', 'Claims Adjuster'],
  ['gtremblay', 'Guy Tremblay', 'Executive', 'Chief Financial Officer'],
  ['hpark', 'Hana Park', 'Marketing', 'Campaign Manager'],
  ['iromero', 'Ivan Romero', 'Sales', 'Broker Liaison'],
  ['jwhitfield', 'Joan Whitfield', 'Finance', 'Controller'],
  ['klindqvist', 'Karl Lindqvist', 'Engineering', 'Data Engineer'],
  ['lmbeki', 'Lindiwe Mbeki', 'Claims', 'Team Lead'],
  ['mchaudhry', 'Mina Chaudhry', 'Underwriting', 'Underwriter'],
  ['nbelanger', 'Nicolas Bélanger', 'Infrastructure', 'Network Engineer'],
  ['oschmidt', 'Otto Schmidt', 'Facilities', 'Building Manager'],
  ['psingh', 'Priya Singh', 'Engineering', 'Platform Engineer'],
  ['rgauthier', 'Rose Gauthier', 'Executive', 'Executive Assistant'],
  ['sdelacruz', 'Sofia de la Cruz', 'Customer Care', 'Agent'],
  ['tmorgan', 'Theo Morgan', 'Actuarial', 'Actuary'],
  ['vlapointe', 'Valérie Lapointe', 'Procurement', 'Buyer'],
  ['wzhang', 'Wei Zhang', 'Engineering', 'Developer'],
  ['yhaddad', 'Yasmin Haddad', 'Customer Care', 'Supervisor'],
];

export const PEOPLE: readonly Person[] = people.map(([username, name, department, title]) => ({
  username,
  name,
  department,
  title,
}));

const systems = [
  'Windows 11 Enterprise 23H2',
  'Windows 11 Enterprise 23H2',
  'Windows 10 Enterprise 22H2',
  'macOS 15.1',
];

export const WORKSTATIONS: readonly Workstation[] = PEOPLE.map((owner, index) => ({
  name: `MCM-LT-${String(2104 + index * 37).padStart(4, '0')}`,
  ip: `10.20.${4 + (index % 5)}.${31 + index * 7}`,
  mac: macAddress(index + 17),
  system: systems[index % systems.length] ?? '',
  purpose: `laptop of ${owner.name}`,
  owner,
}));

const servers: readonly (readonly [name: string, ip: string, system: string, purpose: string])[] = [
  ['MCM-DC01', '10.10.1.10', 'Windows Server 2022', 'domain controller'],
  ['MCM-DC02', '10.10.1.11', 'Windows Server 2022', 'domain controller'],
  ['MCM-FS02', '10.10.2.21', 'Windows Server 2019', 'file server'],
  ['MCM-SQL01', '10.10.2.40', 'Windows Server 2022', 'claims database'],
  ['MCM-JUMP01', '10.10.3.5', 'Windows Server 2022', 'jump host'],
  ['MCM-EXCH01', '10.10.2.60', 'Windows Server 2019', 'mail relay'],
  ['mcm-web03', '10.30.0.13', 'Ubuntu 22.04', 'customer portal'],
  ['mcm-vpn01', '10.30.0.4', 'PAN-OS 11.1', 'VPN gateway'],
  ['mcm-gitlab01', '10.10.4.12', 'Ubuntu 24.04', 'source code'],
  ['mcm-k8s-node4', '10.10.5.24', 'Ubuntu 24.04', 'container host'],
];

export const SERVERS: readonly Host[] = servers.map(([name, ip, system, purpose], index) => ({
  name,
  ip,
  mac: macAddress(index + 101),
  system,
  purpose,
}));

/** A server by its name. */
export function server(name: string): Host {
  const found = SERVERS.find((host) => host.name === name);
  if (!found) throw new Error(`the demo has no server ${name}`);
  return found;
}

const external: readonly (readonly [
  ip: string,
  domain: string,
  country: string,
  code: string,
  network: string,
  asn: number,
])[] = [
  ['203.0.113.17', 'cdn-telemetry-sync.example', 'Netherlands', 'NL', 'Lowland Hosting', 64501],
  ['203.0.113.42', 'update-checker-win.example', 'Moldova', 'MD', 'Dniester Data', 64502],
  ['203.0.113.77', 'secure-docs-share.example', 'Romania', 'RO', 'Carpathia Cloud', 64503],
  ['203.0.113.121', 'm365-verify-login.example', 'Seychelles', 'SC', 'Offshore Networks', 64504],
  ['203.0.113.204', 'invoice-portal-pay.example', 'Bulgaria', 'BG', 'Sofia Servers', 64505],
  ['198.51.100.8', 'img-static-assets.example', 'Singapore', 'SG', 'Straits Hosting', 64506],
  ['198.51.100.23', 'ns2.dnsrelay-node.example', 'Panama', 'PA', 'Isthmus Online', 64507],
  ['198.51.100.61', 'fileparcel-upload.example', 'Finland', 'FI', 'Aurora Colocation', 64508],
  ['198.51.100.93', 'vpn-exit-31.example', 'Brazil', 'BR', 'Planalto Telecom', 64509],
  ['198.51.100.140', 'maplecrest-benefits.example', 'Latvia', 'LV', 'Baltic Racks', 64510],
  ['198.51.100.188', 'tor-exit-7.example', 'Germany', 'DE', 'Privacy Relay', 64511],
  ['192.0.2.55', 'scanner-04.example', 'Vietnam', 'VN', 'Mekong Hosting', 64512],
];

export const ATTACKERS: readonly ExternalHost[] = external.map(([ip, domain, country, countryCode, network, asn]) => ({
  ip,
  domain,
  country,
  countryCode,
  network,
  asn,
}));

/** An attacker by its domain. */
export function attacker(domain: string): ExternalHost {
  const found = ATTACKERS.find((host) => host.domain === domain);
  if (!found) throw new Error(`the demo has no external host ${domain}`);
  return found;
}

export function mailAddress(person: Person): string {
  return `${person.username}@${COMPANY.domain}`;
}

function macAddress(number: number): string {
  const hex = (0x3c5a00 + number * 2741).toString(16).padStart(6, '0');
  return `00:50:56:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}`;
}
