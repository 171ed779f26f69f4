// Lets the players of Carcasum (github.com/TripleWhy/Carcasum) play base games of Bastide. Reads the
// messages of Bastide's bot protocol from standard input and writes the replies to standard output.
//
// Carcasum plays the same game in step: the adapter follows the answers of each message, and checks
// that both programs allow the same moves and count the same scores.
#include "static.h"
#include "core/game.h"
#include "core/board.h"
#include "jcz/jczplayer.h"
#include "jcz/tilefactory.h"
#include "player/mctsplayer.h"
#include "player/randomplayer.h"
#include "player/simpleplayer.h"
#include "player/simpleplayer2.h"
#include "player/simpleplayer3.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

[[noreturn]] static void fail(QString const & message) { throw std::runtime_error(message.toStdString()); }

// Carcasum's names of the tiles base/A to base/X, in this order.
static QStringList const TILES = QString("LR L Cccc+ RCr C CFc+ CFc.1 CFC.2 CC.2 CRr RrC CRRR Cc+ Cc.1 CcRr+ CcRr Ccc+ "
                                         "Ccc CccR+ CccR RFr Rr RRR RRRR").split(' ');

// Makes the player called `name`; mcts:400 thinks for 400 ms in each choice.
static Player * makePlayer(QString const & name, jcz::TileFactory * factory)
{
	if (name == "random") return new RandomPlayer();
	if (name == "simple") return new SimplePlayer();
	if (name == "simple2") return new SimplePlayer2();
	if (name == "simple3") return new SimplePlayer3();
	if (name == "jcz") return new jcz::JCZPlayer(factory);
	if (name.startsWith("mcts:")) return new MCTSPlayer<>(factory, false, name.mid(5).toUInt(), true);
	return nullptr;
}

// Draws the tile that the answers name.
class NamedTile : public NextTileProvider
{
public:
	int index = -1;
	int nextTile(Game const *) override { return index; }
};

// A seat of Carcasum's game: repeats a move of the answers, or asks the player.
class Seat : public Player
{
public:
	Player * player = nullptr;
	bool asks = false, meepleAsked = false;
	TileMove tileMove;
	MeepleMove meepleMove;

	void newGame(int number, Game const * game) override { if (player) player->newGame(number, game); }
	void playerMoved(int number, Tile const * tile, MoveHistoryEntry const & move) override
	{
		if (player) player->playerMoved(number, tile, move);
	}
	void undoneMove(MoveHistoryEntry const &) override {}
	TileMove getTileMove(int number, Tile const * tile, MoveHistoryEntry const & move, TileMovesType const & possible) override
	{
		meepleAsked = false;
		if (asks) tileMove = player->getTileMove(number, tile, move, possible);
		else if (std::find(possible.cbegin(), possible.cend(), tileMove) == possible.cend()) fail("Carcasum refuses the place");
		return tileMove;
	}
	MeepleMove getMeepleMove(int number, Tile const * tile, MoveHistoryEntry const & move, MeepleMovesType const & possible) override
	{
		meepleAsked = true;
		if (asks) meepleMove = player->getMeepleMove(number, tile, move, possible);
		else if (std::find(possible.cbegin(), possible.cend(), meepleMove) == possible.cend()) fail("Carcasum refuses the follower");
		return meepleMove;
	}
	void endGame() override { if (player) player->endGame(); }
	QString getTypeName() const override { return "Seat"; }
	Player * clone() const override { return nullptr; }
};

// The game of one seat, in step with Bastide's game.
class Session
{
public:
	explicit Session(QString const & name) : name(name), player(makePlayer(name, &factory)) {}
	bool hasPlayer() const { return player != nullptr; }

	void begin(QJsonObject const & message)
	{
		for (auto const & mod : message["mods"].toArray())
			if (mod.toObject()["id"].toString() != "base") fail("Carcasum plays only the mod base");
		order.clear();
		for (auto const & player : message["players"].toArray()) order << player.toString();
		int first = message.contains("begins") ? order.indexOf(message["begins"].toString()) : 0;
		order = order.mid(first) + order.mid(0, first);
		me = order.indexOf(message["seat"].toString());
		if (me < 0 || order.size() > MAX_PLAYERS) fail("these players cannot play Carcasum");
		player.reset(makePlayer(name, &factory));
		game.reset(new Game(&next));
		for (int i = 0; i < order.size(); ++i)
		{
			seats[i].reset(new Seat());
			game->addPlayer(seats[i].get());
		}
		seats[me]->player = player.get();
		game->newGame(Tile::BaseGame, &factory);
		ids = factory.getTileIdentifiers(Tile::BaseGame);
		nRead = 0;
		drawn = -1;
		isPlayed = isPlaced = false;
		meeple = -1;
	}

	// Returns the number of the option that Carcasum's player chooses.
	int decide(QJsonObject const & message)
	{
		follow(message["answers"].toArray());
		if (drawn < 0) fail("no tile is drawn");
		if (!isPlayed) play(true);
		Move const & move = game->getMoveHistory().back().move;
		for (auto const & it : message["decision"].toObject()["options"].toArray())
		{
			QStringList words = it.toObject()["text"].toString().split(' ');
			bool isChosen;
			if (!isPlaced) isChosen = words[0] == "place" && spot(words[1]) == spot(move.tileMove) && facing(words[2]) == (int)move.tileMove.orientation;
			else if (move.meepleMove.isNull()) isChosen = words[0] == "pass";
			else isChosen = words[0] == "deploy" && node(move.tileMove.orientation, words[3]) == (int)move.meepleMove.nodeIndex;
			if (isChosen) return it.toObject()["n"].toInt();
		}
		fail("Bastide does not offer the choice of Carcasum");
	}

	void end(QJsonObject const & message)
	{
		follow(message["answers"].toArray());
		finishTurn();
		QJsonObject scores = message["scores"].toObject();
		for (int i = 0; i < order.size(); ++i)
			if (scores[order[i]].toInt() != game->getPlayerScore(i))
				std::cerr << "Carcasum counts " << game->getPlayerScore(i) << " points for " << order[i].toStdString() << std::endl;
	}

private:
	typedef QPair<int, int> Spot;

	QString name;
	jcz::TileFactory factory{false};
	std::unique_ptr<Player> player;
	NamedTile next;
	std::unique_ptr<Seat> seats[MAX_PLAYERS];
	std::unique_ptr<Game> game;
	QStringList order, ids;
	int me = -1;
	// The answers read so far, and what they say about the running turn.
	int nRead = 0;
	int drawn = -1;
	bool isPlayed = false; // Carcasum has already played this turn.
	bool isPlaced = false;
	Spot place;
	int orientation = 0;
	int meeple = -1;

	Tile const * tile() const
	{
		if (!isPlayed) return game->getTileByType(drawn);
		TileMove const & move = game->getMoveHistory().back().move.tileMove;
		return game->getBoard()->getTile(move.x, move.y);
	}

	// Carcasum counts coordinates from the corner of its board.
	int offset() const { return (int)game->getBoard()->getInternalSize() / 2; }
	Spot spot(QString const & text) const { return Spot(text.section(',', 0, 0).toInt(), text.section(',', 1, 1).toInt()); }
	Spot spot(TileMove const & move) const { return Spot((int)move.x - offset(), (int)move.y - offset()); }

	// Returns the orientation for a facing such as 90. Of orientations with equal edges, Carcasum knows only the first.
	int facing(QString const & degrees) const
	{
		int wanted = degrees.toInt() / 90;
		for (int other = 0; other < wanted; ++other)
		{
			bool isSame = true;
			for (int side = 0; side < 4; ++side)
				isSame = isSame && tile()->getEdge((Tile::Side)side, (Tile::Side)other) == tile()->getEdge((Tile::Side)side, (Tile::Side)wanted);
			if (isSame) return other;
		}
		return wanted;
	}

	// Returns the number of the node for a zone such as road@e, field@n1 or cloister.
	int node(int orientation, QString const & zone) const
	{
		QString kind = zone.section('@', 0, 0), at = zone.section('@', 1, 1);
		Node const * found = nullptr;
		if (kind == "cloister") found = tile()->getCloisterNode();
		else
		{
			int side = at.isEmpty() ? -1 : QString("wnes").indexOf(at[0]);
			if (side < 0) fail("unknown zone " + zone);
			// Beside a road, a side has a field on each side of it.
			bool isHalf = kind == "field" && tile()->getEdge((Tile::Side)side, (Tile::Side)orientation) != Field;
			found = tile()->getEdgeNode((Tile::Side)side, !isHalf ? 1 : at.endsWith('1') ? 2 : 0, (Tile::Side)orientation);
		}
		for (int i = 0; i < tile()->getNodeCount(); ++i)
			if (found && tile()->getNode(i) == found) return i;
		fail("no zone " + zone);
	}

	// Reads the answers that are new since the last message.
	void follow(QJsonArray const & answers)
	{
		for (; nRead < answers.size(); ++nRead)
		{
			QStringList words = answers[nRead].toString().split(' ');
			if (words[0] == "draw")
			{
				finishTurn();
				drawn = ids.indexOf(TILES.value(words[1].section('/', 1)[0].toLatin1() - 'A'));
				if (drawn < 0) fail("unknown tile " + words[1]);
			}
			else if (words[0] == "place")
			{
				isPlaced = true;
				place = spot(words[1]);
				orientation = facing(words[2]);
			}
			else if (words[0] == "deploy") meeple = node(orientation, words[3]);
		}
	}

	// Plays the drawn tile in Carcasum's game: a move of the player, or the move of the answers.
	void play(bool asks)
	{
		next.index = game->getTileIndexByType(drawn);
		Seat & seat = *seats[asks ? me : game->getNextPlayer()];
		seat.asks = asks;
		seat.meepleAsked = false;
		seat.tileMove = isPlaced ? TileMove((uint)(place.first + offset()), (uint)(place.second + offset()), (Tile::Side)orientation) : TileMove();
		seat.meepleMove = meeple < 0 ? MeepleMove() : MeepleMove((uchar)meeple);
		game->step();
		if (!asks && meeple >= 0 && !seat.meepleAsked) fail("Carcasum allows no follower there");
		isPlayed = true;
	}

	// Completes the turn whose answers are all known. A tile that fits nowhere has no place.
	void finishTurn()
	{
		if (drawn >= 0 && !isPlayed) play(false);
		drawn = -1;
		isPlayed = isPlaced = false;
		meeple = -1;
	}
};

int main(int argc, char ** argv)
{
	QCoreApplication app(argc, argv);
	std::unique_ptr<Session> session(argc == 2 ? new Session(argv[1]) : nullptr);
	if (!session || !session->hasPlayer())
	{
		std::cerr << "usage: carcasum random|simple|simple2|simple3|jcz|mcts:MILLISECONDS\n";
		return 2;
	}
	for (std::string line; std::getline(std::cin, line);)
	{
		QJsonObject reply;
		try
		{
			QJsonObject message = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
			QString type = message["type"].toString();
			if (type == "hello") reply = {{"type", "ready"}, {"protocol", 1}};
			else if (type == "begin") session->begin(message);
			else if (type == "decide") reply = {{"type", "choose"}, {"n", session->decide(message)}};
			else if (type == "end") session->end(message);
		}
		catch (std::exception const & error)
		{
			reply = {{"type", "error"}, {"message", error.what()}};
		}
		if (!reply.isEmpty()) std::cout << QJsonDocument(reply).toJson(QJsonDocument::Compact).constData() << std::endl;
	}
}
