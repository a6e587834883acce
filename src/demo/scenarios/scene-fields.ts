import { fileHashes } from '../demo-random.ts';
import { COMPANY, type ExternalHost, type Host, mailAddress, type Person, type Workstation } from '../organisation.ts';

/** Parts of an alert in its nested form, as several detections write them. */

export function hostFields(host: Host): Record<string, unknown> {
  return {
    name: host.name,
    hostname: host.name.toLowerCase(),
    ip: [host.ip],
    mac: [host.mac],
    domain: COMPANY.domain,
    type: host.system,
  };
}

export function userFields(person: Person): Record<string, unknown> {
  return {
    name: person.username,
    full_name: person.name,
    email: mailAddress(person),
    domain: COMPANY.windowsDomain,
    roles: [person.title],
  };
}

/** Host and user of a laptop. */
export function onWorkstation(workstation: Workstation): Record<string, unknown> {
  return { host: hostFields(workstation), user: userFields(workstation.owner) };
}

export function externalFields(host: ExternalHost, port?: number): Record<string, unknown> {
  return {
    ip: host.ip,
    domain: host.domain,
    ...(port === undefined ? {} : { port }),
    geo: { country_name: host.country, country_iso_code: host.countryCode },
    autonomous_systems: { number: host.asn, organization_name: host.network },
  };
}

export interface ProcessFacts {
  readonly path: string;
  readonly commandLine: string;
  readonly pid: number;
  readonly parent?: { readonly path: string; readonly commandLine: string; readonly pid: number };
}

export function processFields({ path, commandLine, pid, parent }: ProcessFacts): Record<string, unknown> {
  return {
    executable: path,
    name: fileName(path),
    command_line: commandLine,
    args: commandLine.split(/\s+/).slice(0, 24),
    pid,
    hash: fileHashes(path),
    ...(parent
      ? {
          parent: {
            executable: parent.path,
            name: fileName(parent.path),
            command_line: parent.commandLine,
            pid: parent.pid,
          },
        }
      : {}),
  };
}

export function fileFields(path: string, size: number): Record<string, unknown> {
  const name = fileName(path);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : undefined;
  return {
    path,
    name,
    size,
    hash: fileHashes(name),
    ...(extension === undefined ? {} : { extension }),
  };
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1);
}
