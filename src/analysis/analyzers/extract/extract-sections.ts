import { type AnalyzerRequest, type ResultSection, section } from '../analyzer.ts';
import { launchableKind } from './executables.ts';
import type { Extraction, ListedMember } from './extraction.ts';

/** Lines of one section. */
const MAX_LINES = 1000;
const HEURISTIC_BY_TYPE: ReadonlyMap<string, number> = new Map([
  ['java/jar', 3],
  ['android/apk', 4],
  ['ios/ipa', 9],
]);

/** Returns the sections about members that no password opened. */
export function lockedSections({ locked }: Extraction, { parameters }: AnalyzerRequest): readonly ResultSection[] {
  if (locked.length === 0) return [];
  return [
    section('Failed to extract password protected file.', {
      heuristic: 12,
      signature: parameters.score_failed_password === true ? 'raise_score' : undefined,
      body: lines(['Unextracted files in password protected archive:', ...locked]),
      tags: { 'file.behavior': ['Archive Unknown Password'], 'file.name.extracted': locked.slice(0, MAX_LINES) },
    }),
  ];
}

/** Returns the sections about what is wrong or unusual with the archive. */
export function problemSections(extraction: Extraction, { maxFiles }: AnalyzerRequest): readonly ResultSection[] {
  const { listing, problems, refused, isUnlisted, exhausted } = extraction;
  const sections: ResultSection[] = [];
  if (isUnlisted) {
    sections.push(
      section('Unable to recover file listing', { heuristic: 24, body: 'The list of files is damaged or encrypted.' }),
    );
  }
  if (problems.length > 0) sections.push(section('Errors in the archive', { body: lines(problems) }));
  const hidden = listing.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0) {
    const names = hidden.slice(0, MAX_LINES).filter(({ isFolder }) => !isFolder);
    sections.push(
      section('Hidden files found in archive', {
        heuristic: 18,
        format: 'TABLE',
        body: hidden.slice(0, MAX_LINES).map(({ name, size }) => ({ Name: name, Size: size ?? '' })),
        tags: { 'file.name.extracted': names.map(({ name }) => name) },
      }),
    );
  }
  const hijacked = hijackedFolders(listing);
  if (hijacked.length > 0) {
    sections.push(
      section('CVE-2023-38831', {
        heuristic: 25,
        format: 'KEY_VALUE',
        body: Object.fromEntries(hijacked),
        tags: { 'attribution.exploit': ['CVE-2023-38831'] },
      }),
    );
  }
  const bloated = refused.filter(({ isBloated }) => isBloated);
  if (bloated.length > 0) {
    sections.push(
      section('Bloated file', { heuristic: 22, body: lines(bloated.map(({ name, why }) => `${name}: ${why}`)) }),
    );
  }
  const files = listing.filter(({ isFolder }) => !isFolder).length;
  if (extraction.isFull && files > extraction.files.length) {
    sections.push(
      section(
        `This file contains at least ${files} files, exceeding the maximum of ${maxFiles} extracted files allowed. Some files were not extracted.`,
      ),
    );
  }
  if (extraction.isListingCut) {
    sections.push(section(`This file contains more than ${listing.length} files. The others were not looked at.`));
  }
  if (exhausted !== undefined)
    sections.push(section('Some files were not extracted', { body: `Reason: ${exhausted}.` }));
  return sections;
}

/** Returns the sections about what was extracted. */
export function extractedSections(extraction: Extraction, { file }: AnalyzerRequest): readonly ResultSection[] {
  const { files, links, passwordsUsed, isProtected } = extraction;
  const sections: ResultSection[] = [];
  if (files.length > 0) {
    const used = [...passwordsUsed];
    const names = files.map(({ name }) => name).sort();
    const summary = HEURISTIC_BY_TYPE.get(file.type) ?? (file.type.startsWith('archive/') ? 1 : undefined);
    sections.push(
      section(`Successfully extracted ${counted(files.length)}${usedPasswords(used)}`, {
        heuristic: isProtected && summary === 1 ? 10 : summary,
        body: lines(names),
        tags: {
          ...(used.length > 0 ? { 'info.password': used } : {}),
          'file.name.extracted': [...new Set(names)],
        },
      }),
    );
  }
  if (links.length > 0) {
    sections.push(section(`${links.length} Symlink(s) Found`, { heuristic: 15, body: lines(links) }));
  }
  return sections;
}

/** Returns the section about files that a double click starts. */
export async function launchableSections(
  { files }: Extraction,
  { file: archive, config, parameters }: AnalyzerRequest,
): Promise<readonly ResultSection[]> {
  const found: { readonly name: string; readonly line: string }[] = [];
  for (const file of files) {
    const kind = await launchableKind(file, archive.type);
    if (kind === undefined) continue;
    found.push({ name: file.name, line: `${file.name}: ${kind} found inside ${archive.type}` });
  }
  if (found.length === 0) return [];
  const isSingle = files.length === 1;
  const isSuspicious = isSingle || files.length <= Number(config.heur16_max_file_count ?? 5);
  const heuristic = isSuspicious && parameters.heur_13_16_supression !== true ? (isSingle ? 13 : 16) : undefined;
  const title = isSingle
    ? 'Archive file with single executable inside. Potentially malicious...'
    : 'Executable Content in Archive. Potentially malicious...';
  return [
    section(title, {
      heuristic,
      body: lines(found.map(({ line }) => line)),
      tags: {
        'file.behavior': [isSingle ? 'Archived Single Executable' : 'Executable Content in Archive'],
        'file.name.extracted': [...new Set(found.map(({ name }) => name))],
      },
    }),
  ];
}

/** Returns folders named like a file, with a file inside whose name has theirs, and that file. */
function hijackedFolders(listing: readonly ListedMember[]): readonly (readonly [string, string])[] {
  const names = new Set(listing.filter(({ isFolder }) => !isFolder).map(({ name }) => name));
  const folders = new Set(listing.filter(({ isFolder }) => isFolder).map(({ name }) => name));
  const hijacked = new Map<string, string>();
  for (const name of names) {
    const end = name.indexOf('/');
    const folder = name.slice(0, end);
    if (end === -1 || !folders.has(folder) || !names.has(folder)) continue;
    if (name.slice(end + 1).includes(folder)) hijacked.set(folder, name);
  }
  return [...hijacked];
}

function usedPasswords(used: readonly string[]): string {
  return used.length === 0 ? '' : ` using password${used.length > 1 ? 's' : ''}: ${used.join(' | ')}`;
}

function counted(files: number): string {
  return `${files} file${files > 1 ? 's' : ''}`;
}

function lines(all: readonly string[]): string {
  const shown = all.slice(0, MAX_LINES);
  return [...shown, ...(all.length > shown.length ? [`... and ${all.length - shown.length} more`] : [])].join('\n');
}
