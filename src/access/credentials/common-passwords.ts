/**
 * The most common passwords and the words that they are made of, in lower case. Passwords that only add digits or
 * punctuation to one of these words are as common, so they are not listed.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  aa123456 abc123 abcd1234 abcdef abcdefg abcdefgh access admin administrator adobe adobe123 alexander amanda
  america andrea andrew angel angela animal anthony apple arsenal asdasd asdasdasd asdf asdfasdf asdfgh asdfghjk asdfghjkl
  ashley asshole austin azerty azertyuiop babygirl bailey banana barcelona baseball basketball batman beautiful benjamin
  bigdaddy bismillah blahblah blink182 boomer boston brandon brazil broncos buster butterfly camaro candy carlos caroline
  celtic changeme charles charlie cheese chelsea chester chicago chicken chocolate chris christian christopher claudia
  computer contrasena cookie cooper corvette cowboy cowboys crystal dakota dallas daniel danielle david default demo
  denver diablo diamond doctor dolphin donald dragon eagles edward elephant elizabeth eminem england enter everton
  facebook falcon family fender ferrari fishing florida flower football forever france freddy freedom friend friends
  fuckme fuckoff fuckyou gandalf garfield gateway general george ginger golden google gordon grace guest guitar hammer
  hannah happy hardcore harley heather hello hello123 helloworld hockey hotdog hottie house hunter iceman iloveu
  iloveyou iloveyou1 info internet jackson james jasmine jason jennifer jeremy jessica jesus johnny johnson jordan
  jordan23 joseph joshua junior justin killer kimberly king kitten knight kristina lakers letmein liverpool login lol123
  london lovely loveme lover lovers loveyou madison maggie manager manchester marina marine marlboro martin master
  matrix matthew maverick melissa mercedes merlin michael michelle microsoft midnight mike minecraft monday money
  monkey monster morgan mother motorola mountain muffin murphy music mustang mynoob myspace naruto nathan nicholas nicole
  nintendo nothing november octavo october oliver orange p@ssw0rd p@ssword pa$$word pa55word packers paloma panther
  parola passport passw0rd password password123 passwort patricia patrick peaches peanut pepper phoenix player please
  pokemon porsche prince princess princesa private purple q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx qazwsxedc qq123456
  qwaszx qwe123 qweasd qweasdzxc qweqwe qwer1234 qwert qwertz qwertzuiop qwerty qwerty123 qwertyui qwertyuiop rabbit
  rachel rainbow ranger rangers realmadrid rebecca richard robert rockstar root rosebud runner russia samantha samsung
  sandra saturn scooter scorpion secret september service sexy shadow silver slayer slipknot snoopy soccer sophie
  spider spiderman starwars startrek steelers steven stupid success summer sunflower sunshine superman superstar support
  sweety sysadmin system taylor teacher tennis teresa test test1234 testing testtest texas thomas thunder tigers tigger
  tinkerbell toor toyota travis trustno1 tweety unknown user username vanessa victoria viking voyager warrior webmaster
  welcome welcome1 whatever william willow windows winner winston winter wizard xavier yamaha yankees yellow zaq12wsx
  zaq1zaq1 zxcvbn zxcvbnm
  `
    .trim()
    .split(/\s+/),
)
