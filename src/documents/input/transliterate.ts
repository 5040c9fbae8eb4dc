/** Transliterates text to Latin letters for use in paths. Scripts that are not listed here stay as they are. */

/** Letters that Unicode does not decompose into a Latin letter and marks, each with its spelling (empty if silent). */
const SPELLINGS = [
  // Latin
  'ß ss, æ ae, œ oe, ø o, ł l, đ d, ð d, þ th, ı i, ħ h, ŧ t, ŋ n, ĸ k, ə e, ɛ e, ɔ o, ɓ b, ɗ d, ɖ d',
  'ƒ f, ɣ g, ǥ g, ɨ i, ƙ k, ɲ n, ʉ u, ʋ v, ƴ y, ƶ z, ʒ zh, ʻ, ʼ, ʹ',
  // Cyrillic; й and ё are decomposed
  'а a, б b, в v, г g, д d, е e, ж zh, з z, и i, к k, л l, м m, н n, о o, п p, р r, с s, т t, у u, ф f',
  'х kh, ц ts, ч ch, ш sh, щ shch, ъ, ы y, ь, э e, ю yu, я ya',
  'є ye, і i, ґ g, ђ dj, ј j, љ lj, њ nj, ћ c, џ dz, ѕ dz, ә a, ғ g, қ q, ң n, ө o, ұ u, ү u, һ h',
  // Greek
  'α a, β v, γ g, δ d, ε e, ζ z, η i, θ th, ι i, κ k, λ l, μ m, ν n, ξ x, ο o, π p, ρ r, σ s, ς s, τ t',
  'υ y, φ f, χ ch, ψ ps, ω o',
].flatMap((line) => line.split(', '))

const spellings = new Map(
  SPELLINGS.map((pair): [string, string] => {
    const [letter = '', spelling = ''] = pair.split(' ')
    return [letter, spelling]
  }),
)

/** The text in lower case and, as far as possible, in Latin letters. */
export const transliterate = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => spellings.get(letter) ?? letter)
