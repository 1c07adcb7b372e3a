// @ts-check
/**
 * Spreads words of options: `{zimo: ['Label', 'Sentence', {DI: 'Choice'}]}` of a group `mahjong`
 * becomes `opt.mahjong.zimo`, `opt.mahjong.zimo.about` and `opt.mahjong.zimo.DI`.
 * @param {string} group
 * @param {Record<string, [string, string, Record<string, string>?]>} options
 * @returns {Record<string, string>}
 */
export function spread(group, options) {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, [label, about, choices]]) => [
      [`opt.${group}.${key}`, label],
      [`opt.${group}.${key}.about`, about],
      ...Object.entries(choices ?? {}).map(([name, words]) => [
        `opt.${group}.${key}.${name}`,
        words,
      ]),
    ]),
  );
}
