// The words that passwords are made of most, gathered by hand: English ones of the whole world, and those of Bangladesh. With the
// digits, symbols and swapped letters around them they cover far more than the first three thousand guesses.
const WORDS = `
password passwd passw pass pwd pword secret private admin administrator root user username guest login logon welcome letmein master
access change changeme default system server manager owner support service computer internet network online website test testing
tester temp temporary demo sample example hello helloworld hola bonjour goodmorning goodnight thankyou please sorry whatever nothing
something anything everything nobody somebody trustno forever always never together freedom peace power energy magic lucky happy
smile laugh cool awesome super superman batman spiderman ironman captain america hulk thor avengers marvel pokemon pikachu naruto
goku dragon dragonball tiger lion eagle falcon hawk wolf bear panther leopard shark dolphin monkey donkey horse mustang pony kitty
kitten doggy puppy bunny rabbit chicken turtle butterfly flower flowers rose lily lotus jasmine sunflower orchid daisy tulip garden
apple orange banana mango cherry strawberry lemon peach melon grape chocolate cookie cheese pepper ginger sugar honey candy coffee
pizza burger sunshine sunny moon moonlight star stars starwars starlight sky skywalker rainbow thunder lightning storm summer winter
spring autumn january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday morning evening midnight football soccer cricket baseball basketball hockey tennis golf volleyball racing
liverpool arsenal chelsea manchester manutd united barcelona realmadrid juventus bayern argentina brazil germany portugal france
england india pakistan bangladesh bangla bengal bengali canada australia london newyork dhaka dacca chittagong chattogram sylhet
rajshahi khulna barisal barishal rangpur comilla cumilla mymensingh narayanganj gazipur bogra bogura jessore jashore dinajpur noakhali
feni tangail faridpur pabna kushtia kurigram brahmanbaria coxsbazar sundarban padma meghna jamuna banglalink grameen grameenphone
robi airtel teletalk bkash nagad rocket upay sonarbangla amarsonarbangla joybangla shadhin swadhin shadhinota bijoy ekushey
messi ronaldo neymar maradona beckham kohli sachin tendulkar shakib sakib tamim mushfiq mashrafe mustafiz
allah allahuakbar akbar alhamdulillah subhanallah bismillah mashallah inshallah islam muslim mohammad muhammad mohammed ahmed ahmad
rahman rahim karim hasan hassan hussain hossain husain abdullah abdul ali khan islamic quran ramadan ramzan eid eidmubarak mubarak
fatema fatima ayesha aisha khadija maryam mariam amina nusrat jannat jannatul tasnim sumaiya farhana sultana akter akhter begum
khatun bibi sharmin nasrin shirin rokeya taslima salma rubina shila mitu mim riya priya puja pooja krishna radha ganesh shiva durga
lakshmi jesus christ jesuschrist blessed angel angels heaven faith grace saviour
mother father mummy daddy mama papa mom dad brother sister baby babygirl babyboy princess prince queen king family friend friends
bestfriend girlfriend boyfriend husband wife amma abba ammu abbu ammaabba bhai vai bhaiya apu apa bondhu jaan jan janu sona shona
moyna pakhi tota bulbul doyel shapla golap joba beli chameli megh brishti akash batash nodi shagor sagor surjo chand tara
bhalobasha valobasa bhalobashi valobashi amitomake tomake amar tumi ami iloveyou iloveu ilove love lovely lover loveme lovers loveyou mylove
sweetheart sweet sweety darling honeybun beautiful gorgeous handsome pretty sexy kiss kisses heart
michael jordan jordan23 jennifer jessica ashley amanda nicole daniel david joshua andrew matthew robert thomas william james john
charlie george harley hunter ranger buster maggie tigger killer shadow ninja samurai pirate cowboy soldier warrior knight wizard
hacker hacking matrix metallica nirvana slipknot blink eminem beatles music guitar piano dance disco party
money dollar taka rich million billion business company office account bank market shop shopping store khamar farm farmer goru cow
beef kurbani qurbani mango ilish hilsa biryani
google gmail yahoo hotmail facebook youtube whatsapp instagram twitter tiktok linkedin microsoft windows apple iphone samsung nokia
xiaomi walton android galaxy lenovo dell toshiba sony playstation nintendo xbox minecraft fortnite pubg freefire roblox garena
mercedes ferrari porsche lamborghini toyota honda yamaha suzuki kawasaki bmw audi corvette camaro chevrolet
qwerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx abc abcd abcde abcdef
student teacher doctor engineer school college university buet madrasa class hospital police army cadet
black white green blue yellow purple orange silver golden diamond crystal pearl ruby platinum emerald
number one two three four five six seven eight nine zero hundred thousand first last
open close enter exit start stop begin the and you me my your our is it in of for not no yes ok okay new old big good bad best
nopassword mypassword yourpassword passwordpassword thepassword newpassword oldpassword password1password
`

/** Words of three letters or more that passwords are built from. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word.length >= 3))
