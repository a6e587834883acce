import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalyzerRequest, AnalyzerResult, OutputFile, ResultSection } from '../analyzer.ts';
import { unpackCartFile } from './cart-unpacker.ts';
import { extractedSections, launchableSections, lockedSections, problemSections } from './extract-sections.ts';
import { Extraction, extractionLimits } from './extraction.ts';
import { innerTarSection } from './inner-tar.ts';
import { passwordsOf } from './passwords.ts';
import { unpackStream } from './stream-unpacker.ts';
import { isTar, unpackTar } from './tar-unpacker.ts';
import { unpackZip } from './zip-unpacker.ts';

/** Extracts the files in an archive, as the public service of this name does for these types. */
export async function extract(request: AnalyzerRequest): Promise<AnalyzerResult> {
  const extraction = new Extraction(request.folder, extractionLimits(request));
  const passwords = passwordsOf(request);
  const sections: ResultSection[] = [...(await unpack(request, extraction, passwords))];
  const isLocked = extraction.locked.length > 0;
  sections.push(
    ...lockedSections(extraction, request),
    ...problemSections(extraction, request),
    ...extractedSections(extraction, request),
    ...(await launchableSections(extraction, request)),
  );
  return {
    sections,
    extracted: extraction.files.map(({ file, name, description }) => ({ file, name, description })),
    supplementary: await supplementaryFiles(request, extraction, isLocked ? passwords : []),
    dropsFile: isLocked || dropsFile(request, extraction),
    isPartial: isLocked,
  };
}

async function unpack(
  { path, file }: AnalyzerRequest,
  extraction: Extraction,
  passwords: readonly string[],
): Promise<readonly ResultSection[]> {
  switch (file.type) {
    case 'archive/tar':
      await unpackTar(path, extraction);
      return [];
    case 'archive/gzip':
    case 'archive/zlib': {
      const format = file.type === 'archive/gzip' ? 'gzip' : 'zlib';
      await unpackStream(path, extraction, { format, name: file.name });
      return unpackInnerTar(format, extraction);
    }
    case 'archive/cart':
      await unpackCartFile(path, extraction, file.name);
      return [];
    default:
      await unpackZip(path, extraction, passwords);
      return [];
  }
}

/** Unpacks a compressed tar file as one archive. */
async function unpackInnerTar(format: string, extraction: Extraction): Promise<readonly ResultSection[]> {
  const [tar] = extraction.files;
  if (tar === undefined || !(await isTar(tar.path))) return [];
  const described = await innerTarSection(format, tar);
  extraction.takeOnly();
  await unpackTar(tar.path, extraction);
  if (extraction.isUnlisted) {
    extraction.files.push(tar);
    return [];
  }
  await rm(tar.path, { force: true });
  return [described];
}

/** Returns true for archives, whose files are analysed instead; a large one may hide something. */
function dropsFile({ file, config, parameters }: AnalyzerRequest, { files }: Extraction): boolean {
  if (!file.type.startsWith('archive/') || parameters.continue_after_extract === true) return false;
  const isLarge = file.size > Number(config.small_size_bypass_drop ?? 10_485_760);
  return !(isLarge && files.length <= Number(config.max_file_count_bypass_drop ?? 5));
}

async function supplementaryFiles(
  { folder, maxFiles }: AnalyzerRequest,
  { listing }: Extraction,
  passwords: readonly string[],
): Promise<readonly OutputFile[]> {
  const files: OutputFile[] = [];
  if (listing.filter(({ isFolder }) => !isFolder).length > maxFiles) {
    const lines = listing.map(({ name, isFolder }) => (isFolder ? `${name}/` : name)).sort();
    await writeFile(join(folder, 'listing'), `${lines.join('\n')}\n`);
    files.push({ file: 'listing', name: 'listing.txt', description: 'File listing' });
  }
  if (passwords.length > 0) {
    await writeFile(join(folder, 'passwords'), JSON.stringify(passwords));
    files.push({ file: 'passwords', name: 'password_tested.json', description: 'Passwords used that failed' });
  }
  return files;
}
