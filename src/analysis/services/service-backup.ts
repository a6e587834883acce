import { stringify } from 'yaml';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { type ServiceDelta, serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import type { ClassificationRules } from '../../documents/schema/field-spec.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';
import { type ServiceRegistry, serviceId } from './service-registry.ts';

export interface ServiceBackupDependencies {
  readonly registry: Pick<ServiceRegistry, 'versions' | 'changed'>;
  readonly services: Collection<Service>;
  readonly deltas: Collection<ServiceDelta>;
  readonly classification: ClassificationRules;
  /** Name of the installation: a backup returns to the one that it came from. */
  readonly server: string;
}

const ACCESS = unrestricted('a backup has all services');

/** Writes and reads backups of the configuration of services. */
export class ServiceBackup {
  readonly #dependencies: ServiceBackupDependencies;

  constructor(dependencies: ServiceBackupDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns YAML of all services. `full`: with all their versions, not only those that run. */
  async write({ full }: { readonly full: boolean }): Promise<string> {
    const { registry, services, deltas, server } = this.#dependencies;
    const data: Record<string, object> = {};
    for await (const { id: name, document: delta } of deltas.stream({ query: MATCH_ALL }, ACCESS)) {
      const versions = full ? await registry.versions(name) : [delta.version];
      const ids = versions.map((version) => serviceId({ name, version }));
      const stored = await services.getMany(ids, ACCESS);
      const documents = ids.flatMap((id, index) => {
        const document = stored[index];
        return document === undefined ? [] : [[id, toOutput(serviceDocument, document)]];
      });
      data[name] = { config: toOutput(serviceDeltaDocument, delta), versions: Object.fromEntries(documents) };
    }
    return stringify({ data, server, type: 'backup' }, { aliasDuplicateObjects: false });
  }

  /**
   * Stores the services of a backup. All of it is checked before anything is stored.
   * @throws InvalidInput `invalid_backup`, `foreign_backup`, `invalid_document`, `invalid_yaml`
   */
  async restore(text: string): Promise<void> {
    const { registry, services, deltas, classification, server } = this.#dependencies;
    const backup = readPlainYaml(text);
    if (!isObject(backup) || backup.type !== 'backup' || backup.server === undefined || !isObject(backup.data)) {
      throw invalidBackup();
    }
    if (backup.server !== server) {
      const message = 'This backup was not created on this server, restore operation cancelled.';
      throw new InvalidInput('foreign_backup', message, { at: 'server' });
    }
    const options = { unknown: 'drop', classification } as const;
    const read = Object.entries(backup.data).map(([name, entry]) => {
      if (!isObject(entry) || !isObject(entry.versions)) throw invalidBackup();
      const versions = Object.values(entry.versions).map((one) => readDocument(serviceDocument, one, options).document);
      if (versions.some((version) => version.name !== name)) throw invalidBackup();
      return { name, versions, delta: readDocument(serviceDeltaDocument, entry.config, options).document };
    });
    for (const { name, versions, delta } of read) {
      for (const version of versions) await services.save(serviceId(version), version, { visible: 'now' });
      await deltas.save(name, delta, { visible: 'now' });
      await registry.changed({ name, version: delta.version, operation: 'modified' });
    }
  }
}

function invalidBackup(): InvalidInput {
  return new InvalidInput('invalid_backup', 'Invalid service configuration backup.');
}
