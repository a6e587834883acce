const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Extended_Pictographic}]\p{M}*|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:[.,'’:](?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}_]+)*/gu;

/** Words of a text after the rules of Unicode text segmentation. */
export function standardTokens(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
