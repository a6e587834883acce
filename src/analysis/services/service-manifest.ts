import type { Settings } from '../../config/config-schema.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import type { ClassificationRules } from '../../documents/schema/field-spec.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';

type Plain = Readonly<Record<string, unknown>>;

/** Defaults that an installation gives to manifests. */
export type ManifestDefaults = Pick<
  Settings['analysis']['services'],
  'preferred_update_channel' | 'preferred_registry_type' | 'prefer_service_privileged'
>;

export interface Manifest {
  readonly service: Service;
  /** Heuristics as sent; undefined when the manifest has no such member. */
  readonly heuristics: readonly unknown[] | undefined;
}

/** Names become parts of keys, queues and addresses. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
const VERSION = /^[A-Za-z0-9_$][A-Za-z0-9_$.+-]{0,99}$/;
/** Heuristics of one service, at most. */
const MAX_HEURISTICS = 5000;

/**
 * Reads the manifest of a service and fills in the defaults of the installation.
 * See contract/analysis.md sections 8.2 and 8.6.
 * @throws InvalidInput `invalid_manifest`, or as `readDocument`
 */
export function readManifest(
  manifest: unknown,
  defaults: ManifestDefaults,
  classification: ClassificationRules,
): Manifest {
  if (!isObject(manifest)) throw invalidManifest('The manifest must be an object.', '');
  const { heuristics, file_required: _file, tool_version: _tool, ...given } = manifest;
  if (heuristics !== undefined && heuristics !== null && !Array.isArray(heuristics)) {
    throw invalidManifest('The heuristics of a manifest must be a list.', 'heuristics');
  }
  if ((heuristics?.length ?? 0) > MAX_HEURISTICS) {
    throw invalidManifest(`A manifest has at most ${MAX_HEURISTICS} heuristics.`, 'heuristics');
  }
  const name = readName(given.name, NAME, 'name');
  // The label that versions of the stable channel carry in the tags of images is no part of the version.
  const version = readName(versionText(given.version)?.replaceAll('stable', ''), VERSION, 'version');
  const input = {
    ...given,
    name,
    version,
    update_channel: given.update_channel ?? defaults.preferred_update_channel,
    privileged: given.privileged ?? defaults.prefer_service_privileged,
    docker_config: withRegistry(given.docker_config, defaults),
    dependencies: withRegistries(given.dependencies, defaults),
  };
  const { document } = readDocument(serviceDocument, input, { unknown: 'drop', classification });
  return { service: document, heuristics: heuristics ?? undefined };
}

/** YAML reads a version such as 1.2 as a number. */
function versionText(version: unknown): string | undefined {
  if (typeof version === 'number') return String(version);
  return typeof version === 'string' ? version : undefined;
}

function readName(value: unknown, pattern: RegExp, at: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw invalidManifest(
    `The ${at} of a service must have 1 to 100 letters, digits, dots, hyphens and underscores.`,
    at,
  );
}

function withRegistry(container: unknown, { preferred_registry_type: registry }: ManifestDefaults): unknown {
  if (!isObject(container)) return container ?? undefined;
  const { environment } = container;
  return {
    ...container,
    registry_type: container.registry_type || registry,
    ...(Array.isArray(environment) ? { environment: environment.map(withTextValue) } : {}),
  };
}

function withTextValue(variable: unknown): unknown {
  if (!isObject(variable)) return variable;
  const { value } = variable;
  const isPlain = ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
  return { ...variable, value: isPlain ? String(value) : (value ?? '') };
}

function withRegistries(dependencies: unknown, defaults: ManifestDefaults): unknown {
  if (!isObject(dependencies)) return dependencies ?? undefined;
  const entries = Object.entries(dependencies).map(([name, dependency]) => [
    name,
    isObject(dependency) ? { ...dependency, container: withRegistry(dependency.container, defaults) } : dependency,
  ]);
  return Object.fromEntries(entries) as Plain;
}

export function invalidManifest(message: string, at: string): InvalidInput {
  return new InvalidInput('invalid_manifest', message, { at });
}
