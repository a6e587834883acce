/** Returns the kind of a zip archive by the names of its members. */
export function zipKind(names: readonly string[]): string {
  const starts = (start: string) => names.some((name) => name.startsWith(start));
  const has = (name: string) => names.includes(name);
  const programs = names.filter((name) => name.endsWith('.class') || name.endsWith('.jar')).length;
  const isJar = starts('META-INF/') || (names.length > 0 && names.length < programs * 2);

  if (isJar && has('AndroidManifest.xml') && has('classes.dex')) return 'android/apk';
  if (names.some((name) => name.startsWith('Payload/') && name.endsWith('.app/Info.plist'))) return 'ios/ipa';
  if (isJar) return 'java/jar';
  if (!has('[Content_Types].xml') || !(starts('docProps/') || starts('_rels/'))) return 'archive/zip';
  if (starts('word/')) return 'document/office/word';
  if (starts('xl/')) return 'document/office/excel';
  if (starts('ppt/')) return 'document/office/powerpoint';
  return isPackage(names) ? 'archive/zip' : 'document/office/unknown';
}

/** Packages of NuGet have the layout of office documents. */
function isPackage(names: readonly string[]): boolean {
  return (
    names.some((name) => name.endsWith('.nuspec')) &&
    names.some((name) => name.startsWith('package/services/metadata/core-properties/') && name.endsWith('.psmdcp'))
  );
}
